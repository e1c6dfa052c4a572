"""The floors of the house: a module imports only what stands below it in this list, read from the ground up."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "caderneta"

HOUSE: list[str] = """
    format.values format.text format.dates format.vocabulary format.links format.header format.inline format.blocks format.line
    format.statement format.canonical format.context format.document format.settings format.write format.number
    ledger.entities ledger.fold ledger.index ledger.states ledger.findings ledger.projection
    checks.messages checks.rules
    views.shown views.facts views.budget views.items views.found views.subjects views.estado
    vault.files vault.exchange vault.lock vault.copies vault.find vault.workspace vault.append vault.estado_file
    vault.observe vault.watch vault.plural vault.search
    doors.cli
""".split()  # noqa: SIM905 - lê-se como a casa: um andar por linha

PURE = ("format", "ledger", "checks", "views")
IMPURE_MODULES = {
    "os",
    "io",
    "time",
    "pathlib",
    "logging",
    "subprocess",
    "socket",
    "sqlite3",
    "random",
    "shutil",
    "tempfile",
    "threading",
}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).replace("__main__", "doors.__main__")


MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py" and "data" not in p.parts)


def imports(path: Path) -> list[str]:
    """Every module a file imports, also inside functions; what only types need is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = []
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import relativo"
            found.append(node.module or "")
            found += [
                f"{node.module}.{alias.name}"
                for alias in node.names
                if (PACKAGE.parent / _as_file(node.module, alias.name)).exists()
            ]
    return found


def _as_file(module: str | None, name: str) -> str:
    return f"{(module or '').replace('.', '/')}/{name}.py"


def floor(name: str) -> int | None:
    """Where a module stands in the house; the doors are one floor, ordered among themselves by no list."""
    for i, each in enumerate(HOUSE):
        if name == each or (each == "doors.cli" and name.startswith("doors.")):
            return i
    return None


def test_there_are_files_to_look_at() -> None:
    assert len(MODULES) > 20


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_a_module_imports_only_what_stands_below_it(path: Path) -> None:
    name = module_name(path)
    own = floor(name)
    assert own is not None, f"{name} não está na lista da casa"
    for imported in imports(path):
        if imported.startswith("caderneta."):
            target = imported.removeprefix("caderneta.")
            if (PACKAGE / target.replace(".", "/")).is_dir():
                continue
            where = floor(target)
            assert where is not None, f"{name} importa {target}, que não está na lista da casa"
            assert where < own or name.startswith("doors."), f"{name} importa {target}, que está acima"


@pytest.mark.parametrize("path", [p for p in MODULES if module_name(p).split(".")[0] in PURE], ids=module_name)
def test_the_pure_floors_touch_nothing_outside(path: Path) -> None:
    outside = {name.split(".")[0] for name in imports(path)} & IMPURE_MODULES
    assert not outside, f"{module_name(path)} importa {outside}"
    calls = {
        n.func.id
        for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    assert not calls & {"open", "print", "input"}, module_name(path)


def test_only_the_doors_know_protocols() -> None:
    for path in MODULES:
        if not module_name(path).startswith("doors."):
            outside = {name.split(".")[0] for name in imports(path)} & {"typer", "click", "mcp", "pygls", "lsprotocol"}
            assert not outside, module_name(path)


def test_the_list_names_only_what_exists() -> None:
    existing = {module_name(p) for p in MODULES}
    missing = [name for name in HOUSE if name != "doors.cli" and name not in existing]
    assert not missing, missing
