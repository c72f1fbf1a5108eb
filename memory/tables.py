"""The tables of the state and the number of their schema."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    func,
)

SCHEMA = 3
"""The schema these tables have; it only grows (W8)."""

METADATA = MetaData()

INBOX = Table(
    "inbox",
    METADATA,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("update_id", Integer, nullable=False, unique=True),
    Column("queue", Integer, nullable=False),
    Column("body", LargeBinary),
    Column("at", Integer, nullable=False, server_default=func.unixepoch()),
    sqlite_autoincrement=True,
)
"""Updates taken in; a row without body is done and stays as a seen id (W4)."""
Index("inbox_waiting", INBOX.c.seq, sqlite_where=INBOX.c.body.is_not(None))

OUTBOX = Table(
    "outbox",
    METADATA,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String, nullable=False, unique=True),
    Column("chat", Integer, nullable=False),
    Column("person", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("at", Float, nullable=False),
    sqlite_autoincrement=True,
)
"""Posts on their way, in their order; a row goes when its post is delivered or given up (B1)."""

DIALOGS = Table(
    "dialogs",
    METADATA,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String, nullable=False, unique=True),
    Column("kind", String, nullable=False),
    Column("chat", Integer, nullable=False),
    Column("topic", Integer, nullable=False),
    Column("message", Integer, nullable=False),
    Column("asker", Integer, nullable=False),
    Column("payload", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("created", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Column("status", String, nullable=False),
    Column("ended_by", String, nullable=False, server_default=""),
    sqlite_autoincrement=True,
)
"""Waiting questions; times are seconds since 1970, the payload is JSON (D1).

``ended_by`` is the request that ended one, so that the same request may end it again.
"""
Index("dialogs_message", DIALOGS.c.chat, DIALOGS.c.message)
Index("dialogs_asker", DIALOGS.c.asker, DIALOGS.c.status)

JOURNAL = Table(
    "journal",
    METADATA,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("op", String, nullable=False, unique=True),
    Column("undoes", String, nullable=False),
    Column("document", String, nullable=False),
    Column("user", Integer, nullable=False),
    Column("chat", Integer, nullable=False),
    Column("message", Integer, nullable=False),
    Column("source", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("status", String, nullable=False),
    Column("before", String, nullable=False),
    Column("after", String, nullable=False),
    Column("expected", String, nullable=False),
    Column("standing", Integer, nullable=False),
    Column("body", String, nullable=False),
    Column("asked", String),
    sqlite_autoincrement=True,
)
"""Operations with their items, hunks and log lines as JSON.

``standing`` counts the items that can still be undone; ``expected`` is the digest the document
has as long as nobody but the operation and its undos changed it. ``asked`` names the request
that an operation answers, so that a request that comes again is not done again (W4).
"""
Index("journal_user", JOURNAL.c.user, JOURNAL.c.seq, sqlite_where=JOURNAL.c.standing > 0)
Index("journal_document", JOURNAL.c.document, JOURNAL.c.seq)
Index("journal_asked", JOURNAL.c.asked, unique=True, sqlite_where=JOURNAL.c.asked.is_not(None))
Index("journal_unfinished", JOURNAL.c.seq, sqlite_where=JOURNAL.c.status == "intent")

AUDIT = Table(
    "audit",
    METADATA,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("op", String, nullable=False),
    Column("document", String, nullable=False),
    Column("user", Integer, nullable=False),
    Column("chat", Integer, nullable=False),
    Column("message", Integer, nullable=False),
    Column("source", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("before", String, nullable=False),
    Column("after", String, nullable=False),
    Column("result", String, nullable=False),
)
"""Who changed what, when, and how it ended; digests, never text (M6)."""
Index("audit_document", AUDIT.c.document, AUDIT.c.seq)

PREFERENCES = Table(
    "preferences",
    METADATA,
    Column("owner", Integer, primary_key=True, autoincrement=False),
    Column("key", String, primary_key=True),
    Column("value", String, nullable=False),
)
"""JSON values of a person or a chat."""

DECLINED = Table(
    "declined",
    METADATA,
    Column("document", String, primary_key=True),
    Column("line", String, primary_key=True),
    Column("at", Float, nullable=False),
)
"""What a person kept when it was proposed for removal (C7)."""

DOCUMENTS = Table(
    "documents",
    METADATA,
    Column("document", String, primary_key=True),
    Column("digest", String, nullable=False),
    Column("length", Integer, nullable=False),
    Column("body", LargeBinary),
    Column("told", String, nullable=False, server_default=""),
)
"""Each document as this program left it or last saw it; a log has no body, only its digest.

``told`` is the digest of what stands there instead and waits for a person's decision.
"""

NOTICES = Table(
    "notices",
    METADATA,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("document", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("body", String, nullable=False),
    Column("at", Float, nullable=False),
)
"""What somebody has to be told and has not been told yet, as JSON (M6)."""

CHATS = Table(
    "chats",
    METADATA,
    Column("chat", Integer, primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False, server_default=""),
    Column("title", String, nullable=False, server_default=""),
    Column("count", Integer),
    Column("checked", Integer, nullable=False, server_default="0"),
    Column("asked", Float, nullable=False, server_default="0"),
    Column("reachable", Integer, nullable=False, server_default="1"),
    Column("told", Integer, nullable=False, server_default="0"),
    Column("told_by", String, nullable=False, server_default=""),
)
"""What Telegram said of a chat: ``count`` are its members, this bot included, and ``asked`` when;
``checked``: each known person was confirmed to be inside.

``reachable`` is 0 while the bot is kicked or blocked; ``told`` is the largest audience that was
announced, ``told_by`` the request that announced it (G3).
"""

MEMBERS = Table(
    "members",
    METADATA,
    Column("chat", Integer, primary_key=True, autoincrement=False),
    Column("user", Integer, primary_key=True, autoincrement=False),
    Column("bot", Integer, nullable=False, server_default="0"),
    Column("admin", Integer, nullable=False, server_default="0"),
)
"""Who is known to be inside a chat; whoever leaves is removed at once (G3)."""
Index("members_user", MEMBERS.c.user)

GROUP_MEMBERS = Table(
    "group_members",
    METADATA,
    Column("name", String, primary_key=True),
    Column("user", Integer, primary_key=True, autoincrement=False),
)
"""Members of groups that an admin added by command, beside the configured ones."""
Index("group_members_user", GROUP_MEMBERS.c.user)

FACTS = Table(
    "facts",
    METADATA,
    Column("user", Integer, primary_key=True, autoincrement=False),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("subject", String, nullable=False),
    Column("predicate", String, nullable=False),
    Column("object", String, nullable=False),
    Column("since", String, nullable=False),
    Column("until", String, nullable=False),
    Column("learned", String, nullable=False),
    Column("begins", String, nullable=False),
    Column("subject_key", String, nullable=False),
    Column("object_key", String, nullable=False),
)
"""Triples with time; ids count from 1 for each user, days are ISO text or "" (F1-F3)."""
_SPAN = (FACTS.c.id, FACTS.c.since, FACTS.c.until)
Index("facts_subject", FACTS.c.user, FACTS.c.subject_key, *_SPAN)
Index("facts_about", FACTS.c.user, FACTS.c.subject_key, FACTS.c.predicate, *_SPAN)
Index("facts_predicate", FACTS.c.user, FACTS.c.predicate, *_SPAN)
Index("facts_object", FACTS.c.user, FACTS.c.object_key, *_SPAN)
Index("facts_span", FACTS.c.user, *_SPAN, FACTS.c.subject_key, FACTS.c.object_key)
Index("facts_time", FACTS.c.user, FACTS.c.subject_key, FACTS.c.begins, FACTS.c.id)

FACT_AUDIT = Table(
    "fact_audit",
    METADATA,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("op", String, nullable=False),
    Column("undoes", String, nullable=False),
    Column("user", Integer, nullable=False),
    Column("fact", Integer, nullable=False),
    Column("action", String, nullable=False),
    Column("before", String, nullable=False),
    Column("after", String, nullable=False),
    Column("chat", Integer, nullable=False),
    Column("message", Integer, nullable=False),
    Column("source", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("standing", Integer, nullable=False),
    Column("asked", String),
    sqlite_autoincrement=True,
)
"""Each changed fact before and after, as JSON or "" (F2).

``standing`` is 1 while the row can be undone; ``asked`` names the request, in an operation's
first row, so that a request that comes again is not done again (W4).
"""
Index("fact_audit_op", FACT_AUDIT.c.op)
Index("fact_audit_fact", FACT_AUDIT.c.user, FACT_AUDIT.c.fact)
Index(
    "fact_audit_asked",
    FACT_AUDIT.c.user,
    FACT_AUDIT.c.asked,
    unique=True,
    sqlite_where=FACT_AUDIT.c.asked.is_not(None),
)
Index(
    "fact_audit_last",
    FACT_AUDIT.c.user,
    FACT_AUDIT.c.seq,
    sqlite_where=FACT_AUDIT.c.standing > 0,
)

REMINDERS = Table(
    "reminders",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("user", Integer, nullable=False),
    Column("text", String, nullable=False),
    Column("due", Float, nullable=False),
    Column("zone", String, nullable=False),
    Column("exact", Integer, nullable=False),
    Column("status", String, nullable=False),
    Column("asked", String, nullable=False, unique=True),
    Column("fired", Float),
    sqlite_autoincrement=True,
)
"""What somebody is to be told at a moment; ``status`` is open, fired or cancelled (T9).

``due`` and ``fired``, when it was told or cancelled, are in seconds since 1970; ``zone`` is that
in which it was said; ``asked`` names the request, so that one that comes again makes no second
reminder (W4).
"""
Index("reminders_due", REMINDERS.c.due, sqlite_where=REMINDERS.c.status == "open")
Index(
    "reminders_user", REMINDERS.c.user, REMINDERS.c.due, sqlite_where=REMINDERS.c.status == "open"
)

KEYVALUES = Table(
    "keyvalues",
    METADATA,
    Column("space", String, primary_key=True),
    Column("namespace", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("value", String, nullable=False),
    Column("writer", Integer, nullable=False),
    Column("at", Float, nullable=False),
)
"""JSON values that agents and programs keep for a person or a group; who wrote each last (M7)."""

MIGRATIONS = {
    2: (
        "ALTER TABLE dialogs ADD COLUMN ended_by VARCHAR NOT NULL DEFAULT ''",
        "ALTER TABLE journal ADD COLUMN asked VARCHAR",
    ),
}
"""For each schema, what the tables of the one before lack; new tables come by themselves."""
