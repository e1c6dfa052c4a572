"""What holds: values → answers. Pure."""
