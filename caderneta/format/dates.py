"""Days, hours, and the names of daily files (§1, §2). Nothing here ever guesses."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta
from functools import lru_cache

_DAY = re.compile(r"(?:([0-9]{4})-([0-9]{2})-([0-9]{2})|([0-9]{4})/([0-9]{2})/([0-9]{2})|([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}))\Z")
_TIME = re.compile(r"([0-9]{1,2})(?::([0-9]{2})(?::([0-9]{2}))?|[hH]([0-9]{2})?)\Z")


class ImpossibleDay(ValueError):
    """Text shaped like a date that no calendar has."""


@lru_cache(maxsize=16384)
def is_day(text: str) -> bool:
    """Whether ``AAAA-MM-DD`` names a day that exists."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == 10


@lru_cache(maxsize=4096)
def read_day(text: str) -> str | None:
    """``AAAA-MM-DD``, ``AAAA/MM/DD`` or ``D/M/AAAA`` → ISO; ``None`` when the text has no such shape (§2).

    Raises ImpossibleDay when it has the shape and the day does not exist.
    """
    found = _DAY.match(text)
    if not found:
        return None
    g = found.groups()
    year, month, day = next((a, b, c) for a, b, c in ((g[0], g[1], g[2]), (g[3], g[4], g[5]), (g[8], g[7], g[6])) if a)
    iso = f"{year}-{month:0>2}-{day:0>2}"
    if not is_day(iso):
        raise ImpossibleDay(text)
    return iso


@lru_cache(maxsize=4096)
def read_time(text: str) -> str | None:
    """``14:00``, ``9:05``, ``14:00:30``, ``14h``, ``14h30`` → ``HH:MM``; ``None`` when the text has no such shape.

    Raises ImpossibleDay for an hour that no clock shows.
    """
    found = _TIME.match(text)
    if not found:
        return None
    hour, minute, second, minute_h = found.groups()
    minute = minute or minute_h or "00"
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        raise ImpossibleDay(text)
    return f"{hour:0>2}:{minute}"


def add_days(day: str, days: int) -> str:
    """The ISO day ``days`` later (or earlier), held inside the calendar's years 1 to 9999."""
    try:
        return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
    except OverflowError:
        return "0001-01-01" if days < 0 else "9999-12-31"


@lru_cache(maxsize=64)
def daily_pattern(pattern: str) -> re.Pattern[str]:
    """A settings pattern (``diario/**/AAAA-MM-DD.md``) as a regex over vault-relative paths.

    ``AAAA`` ``MM`` ``DD`` are the date (repeated ones must agree), ``**/`` any folders, ``*`` anything but ``/``.
    Raises ValueError when the pattern does not hold a whole date.
    """
    seen: set[str] = set()
    out = []
    for part in re.split(r"(AAAA|MM|DD|\*\*/|\*)", pattern):
        if part in ("AAAA", "MM", "DD"):
            out.append(f"(?P={part})" if part in seen else f"(?P<{part}>[0-9]{{{len(part)}}})")
            seen.add(part)
        elif part == "**/":
            out.append("(?:[^/]+/)*")
        elif part == "*":
            out.append("[^/]*")
        else:
            out.append(re.escape(part))
    if seen != {"AAAA", "MM", "DD"}:
        raise ValueError(pattern)
    return re.compile("".join(out))


def day_of(path: str, pattern: str) -> str | None:
    """The day a daily file is about, from its path by the pattern alone; ``None`` when it is no daily file (§1).

    Raises ImpossibleDay when the name fits the pattern and the day does not exist.
    """
    if not path.isascii():  # some disks give names decomposed
        path, pattern = unicodedata.normalize("NFC", path), unicodedata.normalize("NFC", pattern)
    found = daily_pattern(pattern).fullmatch(path)
    if not found:
        return None
    iso = f"{found['AAAA']}-{found['MM']}-{found['DD']}"
    if not is_day(iso):
        raise ImpossibleDay(iso)
    return iso


def daily_path(day: str, pattern: str) -> str:
    """Where ``day`` is written: the pattern with ``**/`` as the year's folder."""
    year, month, dd = day.split("-")
    return pattern.replace("**/", f"{year}/").replace("AAAA", year).replace("MM", month).replace("DD", dd).replace("*", "")
