"""The store's state machine on real files and a real state: operations, undos, restarts, an agent.

The same machine runs on a disk in memory, with crashes at every step, as BT8 of the battery.
"""

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.memory.store_machine import Machine
from tests.memory.store_workplace import KEEP, Workplace


class Files(Workplace):
    """Real files; one that was never written is empty."""

    def bytes(self, ref=KEEP):
        return super().bytes(ref) if self.path(ref).exists() else b""


def test_the_store_on_real_files_equals_the_model():
    """Whatever happens in whichever order, files, log and undo are as the model says (W1, C5, C6)."""
    wanted = settings(
        max_examples=8,
        stateful_step_count=15,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(lambda: Machine(Files), settings=wanted)
