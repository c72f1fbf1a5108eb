"""`pomnenka backup`, `pomnenka restore`, and what `check` says of them."""

import json
import os
import pty
import shutil
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.processes import emulator
from bot.__main__ import main
from bot.running import alone
from memory.backup import names
from memory.manifest import Manifest
from memory.restoration import examine
from memory.spaces import DocumentName, DocumentRef, personal
from memory.state import State
from tests.bot.patience import eventually
from tests.transcripts.stage import TOKEN

ROOT = Path(__file__).parents[2]
STATE = Path("pomnenka-memory.state")
KEEP = Path("pomnenka-memory/users/111/keep.md")


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A folder with a configuration and one kept line to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POMNENKA_TOKEN", "1:x")
    Path("pomnenka.toml").write_text("[users]\nallow = [111]\n")
    KEEP.parent.mkdir(parents=True)
    KEEP.write_text("- ring size 54\n")
    return tmp_path


def run(*words):
    """Exit code and output of a command."""
    result = CliRunner().invoke(main, words)
    return result.exit_code, result.output


def saved(*words):
    """The folder of a new backup."""
    code, output = run("backup", "--json", *words)
    assert code == 0, output
    return json.loads(output)["backup"]


def test_backup_tells_where(place):
    """W8: one sentence with what is saved and where; the backup is whole."""
    code, output = run("backup")
    assert code == 0
    assert output.startswith(f"Saved the state and 1 document in {place / STATE}/backups/backup-")
    assert isinstance(examine(Path(output.split(" in ")[1].strip().rstrip("."))), Manifest)


def test_backup_as_json(place):
    """R5: one JSON line."""
    code, output = run("backup", "elsewhere", "--json")
    values = json.loads(output)
    assert (code, values["status"], values["documents"], values["left_out"]) == (0, "done", 1, [])
    assert Path(values["backup"]).parent == place / "elsewhere"


def test_nothing_to_save():
    """W8: a wrong folder is told and not saved as an empty one."""
    shutil.rmtree("pomnenka-memory")
    code, output = run("backup")
    assert (code, "nothing to save" in output) == (1, True)
    assert not STATE.exists()


def test_what_could_not_be_saved_is_told():
    """W3, W8: exit 1 and the path with its reason; the rest is saved."""
    KEEP.with_name("USER.md").symlink_to("/etc/passwd")
    code, output = run("backup")
    assert code == 1
    assert "Saved the state and 1 document" in output and "USER.md is a link" in output


def test_no_backup_there():
    """W8: a name without a backup is told, together with the names there are."""
    code, output = run("restore", "nosuch")
    assert code == 1
    assert output.startswith("There is no backup nosuch.\nThere are none in ")
    run("backup")
    (there,) = names(STATE / "backups")
    assert run("restore", "nosuch") == (
        1,
        f"There is no backup nosuch.\nThere are: {there}.\n",
    )


def test_restore_into_a_folder_of_its_own():
    """W8: the drill: the backup comes back beside the running memory, which is not touched."""
    backup = saved()
    code, output = run("restore", backup, "--to", "drill")
    assert (code, output) == (0, f"Restored the state and 1 document from {backup}.\n")
    assert Path("drill", KEEP).read_bytes() == KEEP.read_bytes()
    assert Path("drill", STATE, "state.db").exists()


def test_the_drill_takes_a_name():
    """W8: the name is looked for in the configured folder, also where another one is restored to."""
    saved()
    (name,) = names(STATE / "backups")
    assert run("restore", name, "--to", "drill")[0] == 0
    assert Path("drill", KEEP).read_bytes() == KEEP.read_bytes()


def test_restore_asks_first():
    """W8: over an existing memory only with --yes or an answer; elsewhere exit 3."""
    backup = saved()
    KEEP.write_text("- changed\n")
    code, output = run("restore", backup)
    assert (code, "--yes" in output) == (3, True)
    assert KEEP.read_text() == "- changed\n"


def answered(backup, answer):
    """Exit code of a restore at a terminal where a question is answered."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "bot", "restore", backup]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, env=env) as process:
        time.sleep(0.1)
        os.write(ours, answer)
        process.communicate(timeout=20)
    return process.returncode


def test_restore_at_a_terminal():
    """W8: "n" changes nothing, "y" restores."""
    backup = saved()
    KEEP.write_text("- changed\n")
    assert (answered(backup, b"n\n"), KEEP.read_text()) == (1, "- changed\n")
    assert (answered(backup, b"y\n"), KEEP.read_text()) == (0, "- ring size 54\n")


def test_restore_saves_what_stands_there():
    """W8: the replaced memory is a backup itself, from which it comes back."""
    backup = saved()
    KEEP.write_text("- changed\n")
    code, output = run("restore", Path(backup).name, "--yes")
    assert code == 0 and KEEP.read_text() == "- ring size 54\n"
    safe = output.partition("is saved in ")[2].partition(".\n")[0]
    assert run("restore", safe, "--yes")[0] == 0
    assert KEEP.read_text() == "- changed\n"


def test_new_documents_stay_and_are_told():
    """W8: what the backup does not have is left as it is."""
    backup = saved()
    KEEP.with_name("notes.md").write_text("- new\n")
    code, output = run("restore", backup, "--yes")
    assert (code, "does not have them: 1" in output) == (0, True)
    assert KEEP.with_name("notes.md").exists()


def test_a_damaged_backup_is_refused_whole():
    """W8: every wrong file is named, and nothing is changed or saved."""
    backup = Path(saved())
    backup.joinpath("documents/users/111/keep.md").write_text("- ring size 55\n")
    backup.joinpath("state.db").unlink()
    KEEP.write_text("- changed\n")
    code, output = run("restore", str(backup), "--yes")
    assert code == 1
    assert "keep.md is not what was saved" in output and "state.db is missing" in output
    assert KEEP.read_text() == "- changed\n" and len(list(backup.parent.iterdir())) == 1


def test_restore_refuses_while_a_bot_runs(place):
    """W8: the process in the way is named, and nothing is changed."""
    backup = saved()
    KEEP.write_text("- changed\n")
    with alone(place / STATE):
        code, output = run("restore", backup, "--yes")
    assert code == 1
    assert f"process {os.getpid()}" in output and "Stop it first" in output
    assert KEEP.read_text() == "- changed\n"


def test_a_second_run_ends_with_a_sentence(place):
    """R8: one bot a state; exit 1 and who is in the way."""
    with alone(place / STATE):
        code, output = run("run")
    assert (code, "works on" in output, "Traceback" in output) == (1, True, False)


def test_a_damaged_state_is_replaced_and_kept():
    """W8: when the state is no database any more, its files are put into the backup as they are."""
    backup = saved()
    (STATE / "state.db").write_bytes(b"broken" * 1000)
    code, output = run("restore", backup, "--yes")
    assert code == 0, output
    safe = Path(output.partition("is saved in ")[2].partition(".\n")[0])
    assert (safe / "damaged/state.db").read_bytes() == b"broken" * 1000
    with closing(State(STATE / "state.db")) as state:
        assert state.damage() == ()


def test_what_cannot_be_saved_is_not_restored_over():
    """W3, W8: a link in a document's place ends the restore before anything is written."""
    backup = saved()
    target = Path("elsewhere.md")
    target.write_text("foreign\n")
    KEEP.unlink()
    KEEP.symlink_to(target.absolute())
    code, output = run("restore", backup, "--yes")
    assert code == 1 and "keep.md is a link" in output
    assert KEEP.is_symlink() and target.read_text() == "foreign\n"


def test_restored_memory_works():
    """W8, C6: the journal came along: what was kept before can be undone afterwards."""
    assert run("keep", "you know, the gate code changes every January", "--user", "111")[0] == 0
    backup = saved()
    KEEP.write_text("")
    assert run("restore", backup, "--yes")[0] == 0
    assert "January" in KEEP.read_text()
    with closing(State(STATE / "state.db")) as state:
        entry = state.newest(111, datetime(2000, 1, 1, tzinfo=UTC))
    assert entry.ref == DocumentRef(personal(111), DocumentName.KEEP)


def test_check_looks_into_the_state():
    """W8, R2: a damaged page of the state is told, exit 1."""
    assert run("check") == (0, "ok\n")
    path = STATE / "state.db"
    data = bytearray(path.read_bytes())
    data[4096 * 2 : 4096 * 2 + 200] = b"\xff" * 200
    path.write_bytes(data)
    code, output = run("check")
    assert code == 1 and "state.db" in output


def test_check_tells_of_old_backups(place):
    """R2, W8: a bot that runs and has no backup younger than a day; silent when they are off."""
    with alone(place / STATE):
        pass
    assert run("check") == (0, "ok\n")
    (STATE / "backups/backup-20200101-000000").mkdir(parents=True)
    code, output = run("check")
    assert code == 1 and "newest backup is from 2020-01-01 00:00 UTC" in output
    Path("pomnenka.toml").write_text("[users]\nallow = [111]\n[backup]\nhours = 0\n")
    assert run("check") == (0, "ok\n")


def test_check_tells_that_there_is_no_backup(place):
    """R2, W8: a bot that started more than a day ago and never saved anything."""
    with alone(place / STATE):
        pass
    os.utime(STATE / "running.lock", (0, 0))
    assert run("check") == (1, f"{place / STATE}/backups: there is no backup\n")


def test_a_running_bot_saves_by_itself(place):
    """W8: the first backup is made at the start, where none is younger than an hour."""
    with emulator() as url:
        table = f'[telegram]\nbase_url = "{url}bot"\npoll_timeout = 1\n'
        Path("pomnenka.toml").write_text(f"{table}[users]\nallow = [111]\n")
        command = [sys.executable, "-m", "bot", "run", "--config", str(place / "pomnenka.toml")]
        env = {**os.environ, "POMNENKA_TOKEN": TOKEN, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL) as process:
            try:
                name = eventually(lambda: names(place / STATE / "backups"))[0]
            finally:
                process.terminate()
    assert isinstance(examine(place / STATE / "backups" / name), Manifest)
    assert process.returncode == 0
