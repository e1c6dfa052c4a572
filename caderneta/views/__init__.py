"""What people and agents read. Pure."""
