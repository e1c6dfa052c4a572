"""One writer at a time, one watcher at a time, for each vault on this device.

The locks live in the user's cache folder, never in the vault (which may be synced), under a name made from the
vault's real path. The system frees them when their process ends, even by ``kill -9``.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from caderneta.vault.files import VaultError, why


class Busy(VaultError):
    """Another process holds what was asked for."""


def cache_folder(root: Path) -> Path:
    """This vault's own folder in the per-user cache. Everything in it may be deleted at any time."""
    from platformdirs import user_cache_path

    name = hashlib.blake2b(os.fsencode(root.resolve()), digest_size=16).hexdigest()
    return user_cache_path("caderneta", appauthor=False) / name


@contextmanager
def locked(root: Path, timeout: float = 30) -> Iterator[None]:
    """Hold the right to write in the vault; not to be nested. Raises Busy after ``timeout`` seconds, or VaultError."""
    message = f"Outro programa está gravando neste cofre há mais de {timeout:.0f} segundos. Nada foi escrito; tente de novo."
    with _held(root, "escrita", timeout, message):
        yield


@contextmanager
def watching(root: Path) -> Iterator[None]:
    """Hold the right to watch the vault. Raises Busy at once when it is already watched on this device."""
    with _held(root, "vigia", 0, "Este cofre já está sendo vigiado por outro caderneta vigiar neste aparelho."):
        yield


@contextmanager
def _held(root: Path, name: str, timeout: float, busy: str) -> Iterator[None]:
    from filelock import FileLock, Timeout

    folder = cache_folder(root)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / f"{name}.lock")
        lock.acquire(timeout=timeout, poll_interval=0.02)
    except Timeout:
        raise Busy(busy) from None
    except OSError as error:
        raise VaultError(f"Não deu para criar a trava do cofre em {folder}: {why(error)}.") from error
    try:
        yield
    finally:
        lock.release()
