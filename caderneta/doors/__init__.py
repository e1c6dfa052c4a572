"""How people and programs come in."""
