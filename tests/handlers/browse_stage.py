"""What the tests of menus have in common."""

USER = "# Alice\n- name: Alice\n\n## Style\n- short\n- in Czech\n\n### Email\n- no greeting\n\n## Food\n- tea\n"


async def restart(stage):
    """A new process over the same disk."""
    await stage.close()
    await stage.open()
