"""O que a caderneta promete em velocidade, medido: ``python -m bench --fatos 10000 100000``."""
