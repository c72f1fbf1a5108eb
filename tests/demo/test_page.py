"""The demo's chat page in a real browser, over the real emulator and a tiny bot (R1)."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.demo.scripted_bot import emulator, post, scripted_bot

CHROMIUM = Path("/usr/bin/chromium")
REQUIRED = os.environ.get("POMNENKA_BROWSER") == "required"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1400, "height": 860}

pytestmark = pytest.mark.browser
if not CHROMIUM.exists() and not REQUIRED:
    why = "no Chromium at /usr/bin/chromium: the demo's page was not tried in a browser"
    pytest.skip(why, allow_module_level=True)


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """The emulator with the bot: its address and the folder whose files it shows."""
    folder = tmp_path_factory.mktemp("workspace")
    with emulator(folder) as url, scripted_bot(url, folder):
        yield url, folder


@pytest.fixture
def world(stage):
    """The world as at the start, without files; gives its address."""
    url, folder = stage
    shutil.rmtree(folder / "users", ignore_errors=True)
    post(f"{url}people/reset", {})
    return url


@pytest.fixture
def open_page(browser, world):
    """Opens pages of one person each; any error in a page's console fails the test."""
    contexts, errors = [], []

    def open_one(address="#111", viewport=WIDE, **options):
        context = browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(6000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: line.type == "error" and errors.append(line.text))
        page.goto(world + address)
        page.locator("#people .who").first.wait_for(state="attached")
        page.errors = errors
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert errors == []


def say(page, text):
    page.locator("#text").fill(text)
    page.keyboard.press("Enter")


def last(page):
    return page.locator(".msg").last


def expect(locator):
    from playwright.sync_api import expect as expected

    return expected(locator, "")


def test_keep_and_press(open_page):
    """A message is sent with Enter, its card comes, and a press edits it in place (D4, K9)."""
    page = open_page()
    say(page, "keep Honza — peanut allergy")
    card = page.locator(".msg.other")
    expect(card.locator("strong")).to_have_text("Honza — peanut allergy")
    expect(card.locator(".quoted")).to_contain_text("Alice")
    card.get_by_role("button", name="Undo").click()
    expect(card).to_contain_text("Taken back")
    expect(card).to_contain_text("edited")
    expect(page.locator(".toast")).to_have_text("Undone")
    expect(page.locator(".msg")).to_have_count(2)


def test_waiting_press(open_page):
    """A pressed button shows that it waits, and an alert must be read and closes by Esc (D4)."""
    page = open_page()
    say(page, "keep one")
    silent = page.get_by_role("button", name="Silent")
    silent.click()
    expect(silent).to_have_attribute("aria-busy", "true")
    page.get_by_role("button", name="Alert").click()
    expect(page.get_by_role("dialog")).to_contain_text("Only Petr can decide this.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_file_lights_up(open_page):
    """The line just written is lit in the file beside the chat; a removed one fades out (R1)."""
    page = open_page()
    page.wait_for_timeout(500)
    say(page, "keep first")
    fresh = page.locator("#sheet .row.fresh")
    expect(fresh).to_contain_text("- first")
    say(page, "keep second")
    expect(fresh).to_have_count(1)
    expect(fresh).to_contain_text("second")
    expect(page.locator("#sheet .row")).to_have_count(2)
    last(page).get_by_role("button", name="Undo").click()
    expect(page.locator("#sheet .gone")).to_contain_text("second")
    expect(page.locator("#sheet .row")).to_have_count(1)
    expect(page.get_by_role("tab", name="Alice keep.md")).to_have_attribute("aria-selected", "true")


def test_reply_and_forward(open_page):
    """A message can be replied to and forwarded to the group, with its origin shown (K2)."""
    page = open_page()
    say(page, "hello there")
    expect(page.locator(".msg")).to_have_count(2)
    act(page, page.locator(".msg").first, "Reply")
    expect(page.locator(".about")).to_contain_text("hello there")
    say(page, "and again")
    expect(page.locator(".msg.own .quoted")).to_contain_text("hello there")
    act(page, page.locator(".msg").first, "Forward")
    page.get_by_role("dialog").get_by_role("button", name="Zahrádka").click()
    expect(page.locator("#talk-title")).to_have_text("Zahrádka")
    expect(last(page).locator(".forwarded")).to_have_text("Forwarded from Alice")


def act(page, message, name):
    message.hover()
    message.get_by_role("button", name="Message actions").click()
    page.get_by_role("menuitem", name=name).click()


def test_edit_and_delete(open_page):
    """Arrow up edits the last own message, Esc leaves it, and the menu deletes (K11)."""
    page = open_page("#111/-1001")
    say(page, "tpyo")
    expect(page.locator(".msg")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    expect(page.locator("#text")).to_have_value("tpyo")
    page.keyboard.press("Escape")
    expect(page.locator("#text")).to_have_value("")
    page.keyboard.press("ArrowUp")
    say(page, "typo")
    expect(last(page)).to_contain_text("typo")
    expect(last(page)).to_contain_text("edited")
    act(page, last(page), "Delete")
    expect(page.locator(".msg")).to_have_count(0)


def test_force_reply(open_page):
    """A question of the bot opens the message field as a reply to it (K3)."""
    page = open_page()
    say(page, "/ask")
    expect(page.locator(".about")).to_contain_text("Reply to Pomněnka")
    expect(page.locator("#text")).to_have_attribute("placeholder", "One fact")
    say(page, "the deploy window is Friday")
    expect(page.locator(".msg.own").last.locator(".quoted")).to_contain_text("What should I")
    expect(page.locator(".about")).to_be_hidden()


def test_deep_link(open_page):
    """A deep link opens the private chat with its payload and never leaves the page (K2)."""
    page = open_page("#111/-1001")
    say(page, "@pomnenka_bot link")
    address = page.url.split("#")[0]
    page.get_by_role("button", name="Open here").click()
    expect(page.locator("#talk-title")).to_have_text("Pomněnka")
    expect(page.locator(".msg.own")).to_contain_text("/start abc")
    assert page.url.split("#")[0] == address


def test_first_start(open_page):
    """Somebody who never opened the private chat sees a Start button instead of a field (R6)."""
    page = open_page("#333/333")
    expect(page.locator("#text")).to_be_hidden()
    page.get_by_role("button", name="Začít").click()
    expect(page.locator("#text")).to_be_visible()
    expect(page.locator(".msg.own")).to_contain_text("/start")


def test_language(open_page):
    """A person's interface language changes the page and the command menu (L1)."""
    page = open_page()
    expect(page.locator("#shelf-title")).to_have_text("Live files")
    page.get_by_label("Interface language of Alice").select_option("cs")
    expect(page.locator("#shelf-title")).to_have_text("Soubory naživo")
    expect(page.locator("html")).to_have_attribute("lang", "cs")
    page.locator("#text").fill("/")
    expect(page.locator("#menu").get_by_role("option").first).to_contain_text("Zapamatovat si")
    page.get_by_label("Jazyk rozhraní: Alice").select_option("de")
    expect(page.locator("#shelf-title")).to_have_text("Live files")


def test_suggestions(open_page):
    """An empty chat offers first messages in the reader's language; a chosen one can be sent (L1)."""
    page = open_page("#222")
    expect(page.locator("#log .empty h3")).to_have_text("Co si má Pomněnka zapamatovat?")
    chip = page.locator(".chip", has_text="ukliď paměť")
    chip.click()
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".msg.own .text")).to_have_text("ukliď paměť")
    expect(chip).to_have_count(0)


PLACES = [
    pytest.param("#111/111", "/help", id="private"),
    pytest.param("#111/-1001", "/help@pomnenka_bot", id="group"),
]


@pytest.mark.parametrize(("address", "said"), PLACES)
def test_command_menu(open_page, address, said):
    """The "/" menu filters while typing; in a group the chosen command names the bot (G2)."""
    page = open_page(address)
    page.locator("#text").fill("/")
    expect(page.locator("#menu").get_by_role("option")).to_have_count(3)
    page.keyboard.type("he")
    expect(page.locator("#menu").get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".msg.own .text").first).to_have_text(said)


def test_keyboard_only(open_page):
    """Everything of a keep works without a mouse: write, send, reach the button, press (R1)."""
    page = open_page()
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.type("keep one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("more")
    page.keyboard.press("Enter")
    expect(page.locator(".key")).to_have_count(3)
    reach(page, "Undo")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Alert")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(".msg.other")).to_contain_text("Taken back")
    expect(page.get_by_role("button", name="Again")).to_be_focused()


def reach(page, name, most=12):
    """Walk back with Shift+Tab until the button of that name has the focus."""
    for _ in range(most):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.textContent") == name:
            return
    raise AssertionError(f"{name} cannot be reached by Tab")


def test_phone(open_page):
    """On a phone one pane shows at a time, and a dot says that a file changed (R1)."""
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.wait_for_timeout(500)
    expect(page.locator("#side")).to_be_hidden()
    say(page, "keep one")
    tab = page.locator("#panes [data-pane=shelf]")
    expect(tab.locator(".dot")).to_be_visible()
    tab.click()
    expect(page.locator("#sheet .row")).to_contain_text("- one")
    expect(page.locator("#talk")).to_be_hidden()
    expect(page.locator(".dot")).to_have_count(0)
    page.locator("#panes [data-pane=side]").click()
    page.locator("#chats .place").nth(1).click()
    expect(page.locator("#talk-title")).to_have_text("Zahrádka")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


LOOKS = [
    pytest.param("light", 0, "light", id="system light"),
    pytest.param("dark", 0, "dark", id="system dark"),
    pytest.param("dark", 1, "light", id="chosen light"),
    pytest.param("light", 2, "dark", id="chosen dark"),
]


@pytest.mark.parametrize(("system", "presses", "look"), LOOKS)
def test_appearance(open_page, system, presses, look):
    """Light and dark follow the system until one is chosen, and the choice is kept (R1)."""
    page = open_page(color_scheme=system)
    for _ in range(presses):
        page.locator("#appearance").click()
    page.reload()
    page.locator("#people .who").first.wait_for()
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground)[:3])) > 380) == (look == "light")


def test_two_pages_agree(open_page):
    """What one person says and the bot edits is on the other's page at once (R1)."""
    alice, petr = open_page("#111/-1001"), open_page("#222/-1001")
    say(alice, "/keep@pomnenka_bot shed key — Hana")
    expect(petr.locator(".msg .sender").first).to_have_text("Alice")
    alice.get_by_role("button", name="Undo").click()
    expect(petr.locator(".msg").last).to_contain_text("Taken back")
    expect(petr.locator(".msg")).to_have_count(2)


def test_hostile_text(open_page):
    """Markup in a text stays text; entities after an emoji sit on the right letters (L3)."""
    page = open_page()
    say(page, "<img src=x onerror=alert(1)>")
    expect(page.locator(".msg.own .text")).to_have_text("<img src=x onerror=alert(1)>")
    say(page, "😀😀 hi")
    answer = page.locator(".msg.other").nth(1)
    expect(answer.locator("strong")).to_have_text("Heard")
    expect(answer.locator("code")).to_have_text("5")
    assert page.locator(".msg img").count() == 0


def test_refused_text_comes_back(open_page):
    """A refused text stands in the field again, with the reason beside it (W3)."""
    page = open_page()
    text = "x" * 40_000
    say(page, text)
    expect(page.locator(".refused")).to_contain_text("Not sent:")
    expect(page.locator("#text")).to_have_value(text)
    page.errors.clear()


def test_connection_lost(browser, tmp_path):
    """A lost server is a calm banner; after its return the page shows the new state (R1)."""
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    with emulator(tmp_path) as url:
        page.goto(url)
        page.locator("#people .who").first.wait_for()
        expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("#banner")).to_contain_text("connection")
    with emulator(tmp_path, port=int(url.rsplit(":", 1)[1].strip("/"))):
        post(f"{url}people/say", {"person": 111, "chat": 111, "text": "while away"})
        expect(page.locator(".msg")).to_contain_text("while away")
        expect(page.locator("#banner")).to_be_hidden()
    context.close()


NAMELESS = """[...document.querySelectorAll("button, select, textarea, article, [role=log]")]
    .filter((each) => !(each.getAttribute("aria-label") || each.textContent.trim()))
    .map((each) => each.outerHTML)"""


def test_less_motion(open_page):
    """Who asks the system for less motion sees nothing move, and reads all the same (R1)."""
    page = open_page(reduced_motion="reduce")
    page.wait_for_timeout(500)
    say(page, "keep one")
    expect(page.locator("#sheet .row.fresh")).to_contain_text("- one")
    page.get_by_role("button", name="Silent").click()
    expect(page.locator(".key.waits")).to_be_visible()
    assert page.evaluate("document.getAnimations().length") == 0


def test_own_files_first(open_page, stage):
    """Being somebody else opens that person's own newest document (R1)."""
    for person, line in ((222, "Petrův řádek"), (111, "Alice's line")):
        path = stage[1] / "users" / str(person) / "keep.md"
        path.parent.mkdir(parents=True)
        path.write_text(f"- {line}\n", encoding="utf-8")
    page = open_page()
    expect(page.locator("#sheet .row")).to_contain_text("Alice's line")
    page.get_by_role("radio", name="Petr").click()
    expect(page.locator("#sheet .row")).to_contain_text("Petrův řádek")


def test_everything_is_named(open_page):
    """Every control and every message has a name that a screen reader can say (R1)."""
    page = open_page()
    say(page, "keep one")
    expect(page.locator(".key")).to_have_count(3)
    assert page.evaluate(NAMELESS) == []


def test_long_press(open_page):
    """A finger resting on a message opens its menu, and lifting it leaves the menu open (R1)."""
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    say(page, "hello")
    box = page.locator(".msg.own .bubble").bounding_box()
    touch = page.context.new_cdp_session(page)
    point = {"x": box["x"] + 20, "y": box["y"] + 20}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_timeout(600)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.get_by_role("menuitem", name="Reply").click()
    expect(page.locator(".about")).to_contain_text("hello")
