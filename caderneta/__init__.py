"""caderneta: memória em Markdown para agentes e para quem trabalha com eles."""

__version__ = "0.1.0"
