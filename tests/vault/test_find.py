from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from caderneta.format.values import Settings
from caderneta.vault.find import Rules, VaultNotFound, discover, find_root, ignore_findings, load_settings, shown


def make(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x", encoding="utf-8")


def seen(root: Path, settings: Settings | None = None) -> list[str]:
    return list(discover(root, Rules(settings or Settings())).paths)


# Root


def test_the_vault_is_the_nearest_folder_upwards(tmp_path: Path) -> None:
    make(tmp_path, "a/Caderneta.md", "a/b/c/nota.md")
    assert find_root(tmp_path / "a/b/c", {}) == (tmp_path / "a").resolve()


def test_what_was_named_comes_first(tmp_path: Path) -> None:
    make(tmp_path, "a/Caderneta.md", "b/Caderneta.md", "c/Caderneta.md")
    env = {"CADERNETA_VAULT": str(tmp_path / "b")}
    assert find_root(tmp_path / "a", env, str(tmp_path / "c")).name == "c"
    assert find_root(tmp_path / "a", env).name == "b"


@pytest.mark.parametrize("env", [{}, {"CADERNETA_VAULT": "/não/existe"}])
def test_no_vault_is_said_in_words(tmp_path: Path, env: dict[str, str]) -> None:
    with pytest.raises(VaultNotFound) as error:
        find_root(tmp_path, env)
    assert "Caderneta.md" in str(error.value) or "CADERNETA_VAULT" in str(error.value)


def test_a_folder_named_caderneta_md_is_no_marker(tmp_path: Path) -> None:
    (tmp_path / "Caderneta.md").mkdir()
    with pytest.raises(VaultNotFound):
        find_root(tmp_path, {})


# Settings


@pytest.mark.parametrize(
    ("json", "daily"),
    [
        ('{"folder": "Diário", "format": "YYYY/MM/YYYY-MM-DD"}', "Diário/AAAA/MM/AAAA-MM-DD.md"),
        ('{"folder": "/", "format": ""}', "AAAA-MM-DD.md"),
        ("{}", "AAAA-MM-DD.md"),
        ('{"folder": "d", "format": "YYYYMMDD"}', "d/AAAAMMDD.md"),
        ('{"folder": "d", "format": "DD.MM.YYYY"}', "d/DD.MM.AAAA.md"),
    ],
)
def test_obsidian_says_where_daily_notes_are(json: str, daily: str) -> None:
    settings, findings = load_settings(b"---\nmodelos: m/\n---\n", json.encode())
    assert settings.daily == daily and not findings
    assert settings.templates == "m/"


@pytest.mark.parametrize(
    "json",
    [
        '{"format": "dddd, YYYY-MM-DD"}',
        '{"format": "YYYY-MMMM-DD"}',
        '{"format": "YYYY-DDDD"}',
        '{"format": "YY-MM-DD"}',
        '{"format": "YYYY-MM"}',
        '{"format": "[dia] YYYY-MM-DD"}',
        '{"folder": "COMMAND", "format": "YYYY-MM-DD"}',
        '{"folder": "*"}',
        '{"folder": ',
        "[]",
        "\xff",
    ],
)
def test_what_obsidian_says_and_we_cannot_follow_is_reported(json: str) -> None:
    settings, findings = load_settings(b"", json.encode("latin-1"))
    assert settings.daily == Settings().daily
    assert [(f.code, f.path) for f in findings] == [("CAD309", ".obsidian/daily-notes.json")]


def test_our_own_setting_comes_before_obsidian() -> None:
    marker = b"---\ndiario: notas/AAAA-MM-DD.md\n---\n"
    assert load_settings(marker, b'{"folder": "outra"}')[0].daily == "notas/AAAA-MM-DD.md"
    default = b"\xef\xbb\xbf---\r\ndiario: diario/**/AAAA-MM-DD.md\r\n---\r\n"
    assert load_settings(default, b'{"folder": "outra"}')[0].daily == Settings().daily


def test_settings_that_are_not_utf8_are_the_defaults() -> None:
    assert load_settings(b"---\ndiario: di\xe1rio/AAAA-MM-DD.md\n---\n", None)[0] == Settings()


# Discovery


def test_only_notes_that_may_hold_facts(tmp_path: Path) -> None:
    make(
        tmp_path,
        "Caderneta.md",
        "b.MD",
        "pasta/a.md",
        "pasta.md",
        "4913",
        "a.md~",
        "a.txt",
        "#a.md#",
        ".a.md.swp",
        ".#a.md",
        ".obsidian/x.md",
        "pasta/.oculta/x.md",
        "modelos/diario.md",
        "outra/modelos/nota.md",
        ".goutputstream-X1",
    )
    assert seen(tmp_path) == ["Caderneta.md", "b.MD", "outra/modelos/nota.md", "pasta.md", "pasta/a.md"]


def test_rules_by_name_agree_with_the_walk(tmp_path: Path) -> None:
    make(tmp_path, "a.md", ".b/c.md", "modelos/d.md", "x/privado/e.md", "x/f.md", "x/.g.md", "x/privado.md", "manter/y.md")
    rules = Rules(Settings(ignore=("privado/", "/manter/*", "!/manter/y.md")))
    every = [p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()]
    assert sorted(p for p in every if rules.file(p)) == sorted(discover(tmp_path, rules).paths)
    assert seen(tmp_path, Settings(ignore=("privado/",))) == ["a.md", "manter/y.md", "x/f.md", "x/privado.md"]


def test_a_pattern_that_cannot_be_read_is_reported_and_ignores_nothing(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.md")
    settings = Settings(ignore=("!", "b.md"))
    assert seen(tmp_path, settings) == ["a.md"]
    assert [f.code for f in ignore_findings(settings)] == ["CAD309"]


def test_links(tmp_path: Path) -> None:
    root = tmp_path / "cofre"
    make(root, "a.md", "pasta/b.md", ".oculta/c.md")
    make(tmp_path, "fora/d.md", "fora2.md")
    (root / "volta").symlink_to(root)  # a loop
    (root / "pasta/fora").symlink_to(tmp_path / "fora")  # a folder outside
    (root / "link-a.md").symlink_to(root / "a.md")  # read already
    (root / "link-c.md").symlink_to(root / ".oculta/c.md")
    (root / "fora-1.md").symlink_to(tmp_path / "fora2.md")
    (root / "fora-2.md").symlink_to(tmp_path / "fora2.md")  # the same one again
    (root / "morto.md").symlink_to(tmp_path / "nada.md")
    (root / "pasta.md").symlink_to(root / "pasta")
    (root / "pasta-2").symlink_to(root / "pasta")  # read under its own name
    (root / "oculta").symlink_to(root / ".oculta")
    (root / ".oculta-2").symlink_to(tmp_path / "fora")  # hidden: nobody's notes
    os.mkfifo(root / "cano.md")
    assert seen(root) == ["a.md", "fora-1.md", "link-c.md", "morto.md", "pasta/b.md"]
    problems = {problem.path: problem.args[0] for problem in discover(root, Rules(Settings())).problems}
    unread = "pasta ligada: não é seguida"
    assert problems == {"pasta/fora/": unread, "oculta/": unread, "cano.md": "não é um arquivo comum"}


@pytest.mark.skipif(sys.platform != "linux", reason="o sistema não deixa criar esse nome")
def test_a_name_that_is_not_utf8_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "boa.md").touch()
    for name in (b"a\xe7\xe3o.md", b"a\xe7.txt"):
        with open(os.path.join(os.fsencode(tmp_path), name), "wb"):
            pass
    found = discover(tmp_path, Rules(Settings()))
    assert found.paths == ("boa.md",)
    assert [(f.code, f.path) for f in found.problems] == [("CAD306", r"a\xe7\xe3o.md")]
    shown(found.problems[0].path).encode("utf-8")


def test_a_folder_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "fechada/b.md")
    (tmp_path / "fechada").chmod(0)
    try:
        if os.access(tmp_path / "fechada", os.R_OK):
            pytest.skip("quem manda em tudo lê tudo")
        found = discover(tmp_path, Rules(Settings()))
    finally:
        (tmp_path / "fechada").chmod(0o755)
    assert found.paths == ("a.md",)
    assert [(f.code, f.path, f.args) for f in found.problems] == [("CAD306", "fechada/", ("sem permissão",))]


def test_order_is_of_bytes(tmp_path: Path) -> None:
    make(tmp_path, "é.md", "z.md", "a.md", "B.md")
    assert seen(tmp_path) == ["B.md", "a.md", "z.md", "é.md"]
