"""The configuration file: every option documented, every problem told at once."""

import dataclasses
from pathlib import Path

import pytest

from bot import config, tables

ROOT = Path(__file__).parent.parent.parent


def test_the_example_is_the_defaults():
    """R3: config.example.toml is what the program prints of itself, and parses to the defaults."""
    text = (ROOT / "config.example.toml").read_text(encoding="utf-8")
    assert text == config.example()
    assert config.parse(text) == config.Settings()


def test_every_option_has_its_sentence():
    """R3: each option carries a sentence for people and words for the value it expects."""
    for kind in config.TABLES.values():
        for entry in dataclasses.fields(kind):
            assert entry.metadata["doc"].endswith("."), entry.name
            assert entry.metadata["expected"], entry.name


def test_all_problems_at_once():
    """R2: wrong table, key, type, range and combination are all told, each with its place."""
    problems = config.parse(
        "[keep]\nlimit = 'many'\ntarget = 200\n[users]\nallow = [1, -2]\n[lgo]\n[log]\nlvl = 'x'\n"
        "[languages]\ndefault = 'fr'\n[workspace]\ntime_zone = 'Mars/Base'\n"
    )
    assert {(p.table, p.key) for p in problems} == {
        ("keep", "limit"),
        ("keep", "target"),
        ("users", "allow"),
        ("lgo", ""),
        ("log", "lvl"),
        ("languages", "default"),
        ("workspace", "time_zone"),
    }
    wanted = "[keep] limit: expected a whole number from 10 to 10000, found 'many'"
    assert wanted in map(str, problems)


@pytest.mark.parametrize(
    "text", ["x =", "\x00", "[keep]\nlimit=1\nlimit=2"], ids=["cut off", "NUL", "twice"]
)
def test_what_is_no_toml(text):
    """R2: a file that is no TOML is one problem, not a traceback."""
    (problem,) = config.parse(text)
    assert problem.table == "file"


def test_a_table_that_is_a_value():
    """R2: a table given as a value is told by its type."""
    (problem,) = config.parse("keep = 3")
    assert (problem.expected, problem.found) == ("a table", "3")


def test_token_from_environment_before_file(tmp_path):
    """R3: the variable comes first, then the file; neither is a problem that names both."""
    (tmp_path / "token").write_text("1:file\n")
    settings = config.parse('[telegram]\ntoken_file = "token"', tmp_path)
    assert config.token(settings, {"POMNENKA_TOKEN": "1:env"}) == "1:env"
    assert config.token(settings, {}) == "1:file"
    (problem,) = config.token(config.Settings(), {})
    assert "POMNENKA_TOKEN" in problem.found


def test_relative_paths_start_at_the_file(tmp_path):
    """R3: a relative workspace lies beside the configuration file, its state beside itself."""
    settings = config.parse('[workspace]\npath = "m"', tmp_path)
    assert settings.workspace_path == tmp_path / "m"
    assert settings.state_path == tmp_path / "m.state"


def test_the_webhooks_secret(tmp_path):
    """R2, B12: the secret comes from the variable, then the file; what Telegram would refuse is a
    problem that does not repeat it, and none at all means a new one."""
    (tmp_path / "secret").write_text("from-file\n")
    settings = config.parse('[telegram]\nwebhook_secret_file = "secret"', tmp_path)
    assert config.webhook_secret(settings, {"POMNENKA_WEBHOOK_SECRET": "from-env"}) == "from-env"
    assert config.webhook_secret(settings, {}) == "from-file"
    assert config.webhook_secret(config.Settings(), {}) == ""
    (problem,) = config.webhook_secret(settings, {"POMNENKA_WEBHOOK_SECRET": "with blank"})
    assert "with blank" not in str(problem)
    (tmp_path / "secret").write_text("")
    assert isinstance(config.webhook_secret(settings, {}), tuple)


@pytest.mark.parametrize(
    ("place", "listen"),
    [("127.0.0.1:8443", ("127.0.0.1", 8443)), ("[::1]:80", ("::1", 80)), ("x:0", ("x", 0))],
)
def test_where_the_webhook_listens(place, listen):
    """R2: host and port, also of IPv6."""
    assert tables.Telegram(webhook_listen=place).listen == listen


@pytest.mark.parametrize("place", ["", "8443", "x:", ":80", "x:99999", "x:-1", 80], ids=repr)
def test_where_nobody_can_listen(place):
    """R2: what is no host:port is a problem."""
    assert isinstance(config.parse(f"[telegram]\nwebhook_listen = {place!r}"), tuple)


def test_groups_and_their_members():
    """G1, M2: a group has an id of 2 to 64 of a-z 0-9 . _ - and numeric members, nothing else."""
    settings = config.parse("[groups]\nmembers = { family = [111, 222], 'a.b-c_1' = [] }")
    assert settings.groups.members == {"family": [111, 222], "a.b-c_1": []}
    for wrong in ("Family = [1]", "f = [1]", "'../x' = [1]", "family = ['alice']", "family = 1"):
        (problem,) = config.parse(f"[groups]\nmembers = {{ {wrong} }}")
        assert (problem.table, problem.key) == ("groups", "members")
