from __future__ import annotations

import errno
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from caderneta.vault import workspace as module
from caderneta.vault.files import GRACE, Read, Unreadable, VaultError, read
from caderneta.vault.workspace import Workspace

DAY = "diario/2026/2026-07-09.md"


def texts(workspace: Workspace) -> list[str]:
    return sorted(f.text for f in workspace.projection.facts())


def fact(number: int, text: str = "base") -> str:
    return f"- [14:00] decisao :: [[Aurora]] {text} (#{number})\n"


@pytest.fixture
def workspace(vault: Path, day: Path) -> Workspace:
    return Workspace.open(vault, "2026-07-09")


def test_loads_what_there_is(workspace: Workspace) -> None:
    assert texts(workspace) == ["base"]
    assert workspace.next_id == 42
    assert workspace.text(DAY).startswith("- [14:00]")


def test_new_changed_renamed_and_deleted_files(workspace: Workspace, vault: Path, day: Path) -> None:
    (vault / "nota.md").write_text("- [2026-07-09] observacao :: nova (#42)\n", encoding="utf-8")
    assert workspace.refresh() == ("nota.md",)
    assert workspace.refresh() == ()
    day.write_text(fact(41, "mudou"), encoding="utf-8")
    assert workspace.refresh([DAY]) == (DAY,)
    (vault / "nota.md").rename(vault / "outra.md")
    assert workspace.refresh(["nota.md", "outra.md"], patient=True) == ("nota.md", "outra.md")
    assert texts(workspace) == ["mudou", "nova"]
    (vault / "outra.md").unlink()
    assert workspace.refresh() == ("outra.md",)
    assert texts(workspace) == ["mudou"]


@pytest.mark.parametrize("paths", [None, [DAY]])
def test_edits_that_keep_size_and_date(workspace: Workspace, day: Path, paths: list[str] | None) -> None:
    """R40: same size; same size and date; date gone backwards."""
    day.write_text(fact(41, "7.350"), encoding="utf-8")
    workspace.refresh()
    time.sleep(2.1)  # beyond the reach of the doubt about a file just written
    workspace.refresh()
    before = day.stat()
    for text in ("7.530", "7.035", "3.750"):
        day.write_text(fact(41, text), encoding="utf-8")
        os.utime(day, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert workspace.refresh(paths) == (DAY,)
        assert texts(workspace) == [text]
    day.write_text(fact(41, "9.999"), encoding="utf-8")
    os.utime(day, (1577836800, 1577836800))
    assert workspace.refresh(paths) == (DAY,)
    assert texts(workspace) == ["9.999"]


def test_an_untouched_file_is_not_read_again(workspace: Workspace, day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    time.sleep(2.1)
    workspace.refresh()
    monkeypatch.setattr(module, "read", lambda path: pytest.fail(f"leu {path}"))
    assert workspace.refresh() == ()


def test_a_folder_that_moves_and_comes_back(workspace: Workspace, vault: Path, tmp_path: Path) -> None:
    shutil.move(vault / "diario", vault / "arquivo")
    assert set(workspace.refresh(["diario/", "arquivo/"], patient=True)) == {DAY, "arquivo/2026/2026-07-09.md"}
    assert texts(workspace) == ["base"]
    shutil.move(vault / "arquivo", tmp_path / "fora")
    workspace.refresh(["arquivo/"])
    assert texts(workspace) == []
    shutil.move(tmp_path / "fora", vault / "diario")
    assert workspace.refresh(["diario/"]) == (DAY,)
    assert texts(workspace) == ["base"]


def test_hidden_template_and_generated_files_never_count(workspace: Workspace, vault: Path, day: Path) -> None:
    (vault / "modelos").mkdir()
    (vault / ".oculta").mkdir()
    for path in ("modelos/m.md", ".oculta/o.md", ".swp.md", "x.md~"):
        (vault / path).write_text(fact(900), encoding="utf-8")
    generated = "<!-- caderneta: gerado a partir das notas; não edite, é refeito -->\n" + fact(901)
    (vault / "ESTADO.md").write_text(generated, encoding="utf-8")
    (vault / "Projeção antiga.md").write_text("\ufeff" + generated, encoding="utf-8")
    workspace.refresh()
    workspace.refresh(["modelos/m.md", "modelos/", ".oculta/", ".oculta/o.md", ".swp.md", "ESTADO.md"])
    assert texts(workspace) == ["base"] and workspace.next_id == 42
    day.write_text(generated, encoding="utf-8")
    workspace.refresh([DAY])
    assert texts(workspace) == []


def test_bytes_that_are_not_utf8(vault: Path) -> None:
    """R20, and its kin: each bad file is named with its offset, the others load, none is rewritten."""
    bad = {
        "diario/2026/2026-07-07.md": ("- [10:00] decisão :: salvo em Windows-1252 (#41)\n".encode("cp1252"), 15),
        "diario/2026/2026-07-08.md": ("\ufeff- [10:00] nota :: UTF-16 (#42)\n".encode("utf-16-le"), 0),
        "diario/2026/2026-07-11.md": ("- [10:00] observacao :: cortado (#45)\n- decisã".encode()[:-1], 45),
    }
    for path, (data, _) in bad.items():
        (vault / path).write_bytes(data)
    (vault / DAY).write_text("- [10:00] observacao :: arquivo bom (#43)\n", encoding="utf-8")
    (vault / "diario/2026/2026-07-10.md").write_bytes(b"- [10:00] observacao :: nulos no fim (#44)\n" + bytes(64))
    workspace = Workspace.open(vault, "2026-07-12")
    assert sorted(f.id or 0 for f in workspace.projection.facts()) == [43, 44]
    found = {f.path: f for f in workspace.projection.findings() if f.code == "CAD301"}
    assert {path: f.args for path, f in found.items()} == {path: (str(offset),) for path, (_, offset) in bad.items()}
    assert (found["diario/2026/2026-07-11.md"].line, found["diario/2026/2026-07-11.md"].column) == (2, 8)
    assert all((vault / path).read_bytes() == data for path, (data, _) in bad.items())
    assert workspace.next_id == 46  # the ids of the unreadable ones are taken: they will be mended one day
    with pytest.raises(VaultError, match="UTF-8"):
        workspace.text("diario/2026/2026-07-07.md")


def test_a_bad_file_mended_loses_its_finding(workspace: Workspace, day: Path) -> None:
    day.write_bytes(b"- [14:00] decis\xe3o :: x (#41)\n")
    workspace.refresh([DAY])
    assert [f.code for f in workspace.projection.findings() if f.code == "CAD301"]
    day.write_text(fact(41), encoding="utf-8")
    workspace.refresh([DAY])
    assert not [f.code for f in workspace.projection.findings() if f.code == "CAD301"]
    assert texts(workspace) == ["base"]


def test_names_and_links_that_cannot_be_read_are_findings(vault: Path, day: Path) -> None:
    (vault / "morto.md").symlink_to(vault / "nada")
    with open(os.path.join(os.fsencode(vault), b"a\xe7\xe3o.md"), "wb"):
        pass
    workspace = Workspace.open(vault, "2026-07-09")
    found = {f.path: f.args for f in workspace.projection.findings() if f.code == "CAD306"}
    assert found == {"morto.md": ("o arquivo não existe",), r"a\xe7\xe3o.md": ("o nome não é UTF-8",)}
    (vault / "morto.md").unlink()
    os.unlink(os.path.join(os.fsencode(vault), b"a\xe7\xe3o.md"))
    assert workspace.refresh() == (r"a\xe7\xe3o.md", "morto.md")
    assert not [f for f in workspace.projection.findings() if f.code == "CAD306"]


def test_settings_that_change_read_everything_again(workspace: Workspace, vault: Path) -> None:
    (vault / "Caderneta.md").write_text("---\nignorar: [diario/]\n---\n", encoding="utf-8")
    (vault / "nota.md").write_text("- [2026-07-09] observacao :: outra (#7)\n", encoding="utf-8")
    assert set(workspace.refresh(["Caderneta.md"])) >= {DAY, "nota.md"}
    assert texts(workspace) == ["outra"]
    (vault / "Caderneta.md").write_text("---\n---\n", encoding="utf-8")
    workspace.refresh([])
    assert texts(workspace) == ["base", "outra"]


def test_the_body_of_the_marker_changes_nothing_else(workspace: Workspace, vault: Path) -> None:
    (vault / "Caderneta.md").write_text("---\n---\n# Outro guia\n", encoding="utf-8")
    before = workspace.projection
    assert workspace.refresh(["Caderneta.md"]) == ()
    assert workspace.projection is before


def test_obsidians_settings_that_cannot_be_followed_are_told_once(vault: Path, day: Path) -> None:
    (vault / ".obsidian").mkdir()
    config = vault / ".obsidian/daily-notes.json"
    config.write_text('{"format": "dddd"}', encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")

    def told() -> list[str]:
        return [f.path for f in workspace.projection.findings() if f.code == "CAD309"]

    assert told() == [".obsidian/daily-notes.json"]
    config.write_text('{"format": "YYYY-MM-DD", "folder": "diario/2026"}', encoding="utf-8")
    workspace.refresh([".obsidian/daily-notes.json"])
    assert told() == [] and workspace.settings.daily == "diario/2026/AAAA-MM-DD.md"


def test_an_unsaved_text_stands_in_the_place_of_its_file(workspace: Workspace, day: Path) -> None:
    assert workspace.overlay(DAY, fact(41, "rascunho")) == (DAY,)
    assert texts(workspace) == ["rascunho"] and workspace.text(DAY) == fact(41, "rascunho")
    day.write_text(fact(41, "no disco"), encoding="utf-8")
    assert workspace.refresh() == ()
    assert workspace.overlay(DAY, None) == (DAY,)
    assert texts(workspace) == ["no disco"]
    workspace.overlay("nova.md", "- [2026-07-09] observacao :: nunca salva\n")
    assert texts(workspace) == ["no disco", "nunca salva"]
    workspace.overlay("nova.md", None)
    assert texts(workspace) == ["no disco"]


def test_a_patient_refresh_waits_before_it_believes_a_loss(workspace: Workspace, vault: Path, day: Path) -> None:
    more = fact(41) + fact(42, "mais")
    day.write_text(more, encoding="utf-8")
    workspace.refresh()
    breaks: list[Callable[[], object]] = [
        lambda: day.unlink(),
        lambda: day.write_text("", encoding="utf-8"),
        lambda: day.write_text(more[:-20], encoding="utf-8"),
        lambda: day.write_bytes(more.encode()[:20] + b"\xc3"),
        lambda: shutil.rmtree(vault / "diario"),
    ]
    for broken in breaks:
        broken()
        for paths in ([DAY], None, ["diario/"], []):
            assert workspace.refresh(paths, patient=True) == ()
            assert texts(workspace) == ["base", "mais"]
        assert list(workspace.doubted) == [DAY]
        day.parent.mkdir(parents=True, exist_ok=True)
        day.write_text(more, encoding="utf-8")
        assert workspace.refresh([DAY], patient=True) == ()
        assert not workspace.doubted
    day.unlink()
    workspace.refresh(patient=True)
    time.sleep(GRACE + 0.05)
    assert workspace.refresh([], patient=True) == (DAY,)
    assert texts(workspace) == [] and not workspace.doubted


def test_a_patient_refresh_believes_an_edit_at_once(workspace: Workspace, day: Path) -> None:
    day.write_text(fact(41) + fact(42, "mais"), encoding="utf-8")
    workspace.refresh(patient=True)
    day.write_text(fact(42, "só esta"), encoding="utf-8")
    assert workspace.refresh([DAY], patient=True) == (DAY,)
    assert texts(workspace) == ["só esta"]


def test_a_patient_refresh_keeps_the_settings_of_a_marker_being_saved(workspace: Workspace, vault: Path) -> None:
    (vault / "Caderneta.md").write_text("---\nignorar: [nada/]\n---\n", encoding="utf-8")
    workspace.refresh()
    (vault / "Caderneta.md").unlink()
    workspace.refresh(patient=True)
    assert workspace.settings.ignore == ("nada/",)
    time.sleep(GRACE + 0.05)
    assert workspace.doubted
    workspace.refresh([], patient=True)
    assert not workspace.settings.ignore and not workspace.doubted


def test_a_marker_that_comes_back_in_time_changes_nothing(workspace: Workspace, vault: Path) -> None:
    before, data = workspace.projection, (vault / "Caderneta.md").read_bytes()
    (vault / "Caderneta.md").write_bytes(b"")
    workspace.refresh(["Caderneta.md"], patient=True)
    assert workspace.doubted
    (vault / "Caderneta.md").write_bytes(data)
    workspace.refresh(["Caderneta.md"], patient=True)
    assert workspace.projection is before and not workspace.doubted


@pytest.mark.parametrize("broken", [lambda day: day.unlink(), lambda day: day.write_text("", encoding="utf-8")])
def test_a_loss_seen_twice_with_a_save_between_is_seen_once(
    workspace: Workspace, day: Path, broken: Callable[[Path], object]
) -> None:
    data = day.read_bytes()
    broken(day)
    workspace.refresh([DAY], patient=True)
    time.sleep(GRACE + 0.05)
    day.write_bytes(data)
    time.sleep(0.02)
    broken(day)
    assert workspace.refresh([DAY], patient=True) == ()
    assert texts(workspace) == ["base"]


def test_a_vault_that_is_gone_forgets_nothing(workspace: Workspace, vault: Path, tmp_path: Path) -> None:
    vault.rename(tmp_path / "longe")
    with pytest.raises(VaultError, match="pasta"):
        workspace.refresh()
    assert texts(workspace) == ["base"]
    (tmp_path / "longe").rename(vault)
    assert workspace.refresh() == ()


def test_a_folder_without_marker_is_read_with_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "nota.md").write_text("# Nota\n\n- item\n", encoding="utf-8")
    workspace = Workspace.open(tmp_path, "2026-07-09")
    assert texts(workspace) == [] and not workspace.has_marker
    assert sorted(os.listdir(tmp_path)) == ["nota.md"]


def test_case_only_rename_leaves_one_note(workspace: Workspace, vault: Path) -> None:
    """R36, on any disk."""
    (vault / "cliente acme.md").write_text("- [2026-07-09 10:00] observacao :: corpo (#45)\n", encoding="utf-8")
    workspace.refresh()
    subprocess.run(["mv", vault / "cliente acme.md", vault / ".tmp"], check=True)
    subprocess.run(["mv", vault / ".tmp", vault / "Cliente ACME.md"], check=True)
    workspace.refresh(["cliente acme.md", "Cliente ACME.md"], patient=True)
    assert texts(workspace) == ["base", "corpo"]
    assert "cliente acme.md" not in workspace.projection.documents


def test_on_a_disk_that_tells_no_cases_apart_names_are_the_listed_ones(
    vault: Path, day: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (vault / "Cliente ACME.md").write_text("- [2026-07-09 10:00] observacao :: corpo (#45)\n", encoding="utf-8")
    (vault / "cADERNETA.MD").symlink_to(vault / "Caderneta.md")  # what such a disk answers when asked
    workspace = Workspace.open(vault, "2026-07-09")
    real = read

    def read_any_case(path: str) -> Read | Unreadable:
        return real(path.replace("cliente acme", "Cliente ACME"))

    monkeypatch.setattr(module, "read", read_any_case)
    workspace.refresh(["cliente acme.md", "Cliente ACME.md"])
    assert texts(workspace) == ["base", "corpo"]


def test_a_note_whose_name_a_folder_takes(workspace: Workspace, vault: Path, day: Path) -> None:
    day.unlink()
    day.mkdir()
    assert workspace.refresh() == (DAY,)
    assert not workspace.projection.findings()


def test_a_link_whose_real_file_comes_into_the_vault(vault: Path, tmp_path: Path) -> None:
    real = tmp_path / "fora.md"
    real.write_text("- [2026-07-09] observacao :: de fora (#9)\n", encoding="utf-8")
    (vault / "link.md").symlink_to(real)
    workspace = Workspace.open(vault, "2026-07-09")
    assert list(workspace.projection.documents) == ["Caderneta.md", "link.md"]
    real.rename(vault / "dentro.md")
    (vault / "link.md").unlink()
    (vault / "link.md").symlink_to(vault / "dentro.md")
    workspace.refresh(["link.md", "dentro.md"], patient=True)
    assert list(workspace.projection.documents) == ["Caderneta.md", "dentro.md"]
    assert texts(workspace) == ["de fora"]


def test_a_vault_reached_through_a_link(vault: Path, day: Path, tmp_path: Path) -> None:
    (tmp_path / "atalho").symlink_to(vault)
    (vault / "link.md").symlink_to(day)
    workspace = Workspace.open(tmp_path / "atalho", "2026-07-09")
    assert texts(workspace) == ["base"] and not workspace.projection.findings()


def test_a_temporary_note_swapped_into_place_leaves_no_trace(workspace: Workspace, vault: Path, day: Path) -> None:
    temp = day.with_name("novo.md")
    temp.write_text(fact(41) + fact(42, "mais"), encoding="utf-8")
    workspace.refresh(patient=True)
    os.replace(temp, day)
    workspace.refresh([DAY, "diario/2026/novo.md"], patient=True)
    assert texts(workspace) == ["base", "mais"] and not workspace.doubted
    assert "diario/2026/novo.md" not in workspace.projection.documents


def test_conflict_copies_of_estado_are_nobodys_business(workspace: Workspace, vault: Path) -> None:
    text = "<!-- caderneta: gerado a partir das notas; não edite, é refeito -->\n" + fact(41, "morto")
    for name in ("ESTADO.md", "ESTADO.sync-conflict-20260709-101500-ABC1234.md", "ESTADO 2.md"):
        (vault / name).write_text(text, encoding="utf-8")
    workspace.refresh()
    assert texts(workspace) == ["base"] and not workspace.projection.findings()


def test_a_file_that_is_shut_for_an_instant_keeps_its_facts(
    workspace: Workspace, day: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "read", lambda path: Unreadable(errno.EACCES, "sem permissão"))
    assert workspace.refresh([DAY], patient=True) == ()
    monkeypatch.undo()
    assert workspace.refresh([DAY], patient=True) == () and texts(workspace) == ["base"] and not workspace.doubted


def test_a_link_into_the_system_s_folders_is_told_and_never_opened(vault: Path, day: Path) -> None:
    (vault / "nucleo.md").symlink_to("/proc/kmsg")
    workspace = Workspace.open(vault, "2026-07-09")
    (finding,) = [f for f in workspace.projection.findings() if f.code == "CAD306"]
    assert (finding.path, finding.args) == ("nucleo.md", ("o atalho leva a uma pasta do sistema",))
    assert texts(workspace) == ["base"]


def test_a_linked_folder_is_told_until_it_is_gone(workspace: Workspace, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "fora").mkdir()
    (vault / "notas").symlink_to(tmp_path / "fora")
    assert workspace.refresh() == ("notas/",)
    assert [f.args for f in workspace.projection.findings() if f.code == "CAD306"] == [("pasta ligada: não é seguida",)]
    (vault / "notas").unlink()
    assert workspace.refresh() == ("notas/",) and not workspace.projection.findings()


def test_ids_that_do_not_count_today_are_taken(workspace: Workspace, vault: Path) -> None:
    (vault / "nota.md").write_text("- [2026-07-09] decisao :: com resto (#88) depois do número\n", encoding="utf-8")
    workspace.refresh()
    assert workspace.next_id == 89
