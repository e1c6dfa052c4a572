"""``python -m caderneta``: o mesmo que o comando ``caderneta``."""

from caderneta.doors.cli.main import main

if __name__ == "__main__":
    main()
