"""What a line says: text → values. Pure."""
