"""What is wrong: answers → findings and their words. Pure."""
