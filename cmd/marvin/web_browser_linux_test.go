package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// dot is the smallest picture.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// mending is a model whose conversation contains everything that a page shows, and then waits for
// an answer.
func mending(request modeltest.Request) modeltest.Step {
	last := request.Last()
	switch {
	case len(request.Tools) == 0:
		return modeltest.Text("Mend the parser")
	case last.Role == messages.Tool && strings.Contains(last.Result.Text, "mended"):
		return modeltest.Text("All is mended.")
	case last.Role == messages.Tool:
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "echo mended > result.txt; echo mended"}})
	case strings.Contains(last.Text, "mend"):
		return modeltest.Text("I look at **three** files:\n\n| file | tests |\n|---|---:|\n| parse.go | 12 |\n| lex.go | 7 |\n\n```go\nfunc main() { println(\"hello\") }\n```\n").Append(
			modeltest.Calls(modeltest.Call{Name: "write_file", Args: map[string]string{"path": "parse.go", "content": "package parse\n\n// Parse reads.\nfunc Parse() {}\n"}}))
	}
	return modeltest.Text("I see it.")
}

// The page can be used with the keyboard alone: completion of commands and files, a picture, the
// prompt, and instructions instead of a call. These instructions never approve the call.
func TestAPromptOnThePageIsTypedAsInTheTerminal(t *testing.T) {
	t.Parallel()
	browser := openChromium(t)
	s := serve(t, mending)
	if err := os.WriteFile(filepath.Join(s.command.Dir, "kettle.txt"), []byte("tea\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.enter()
	id := s.begin("hello")
	s.until("/c/"+id+"/events", "I see it.")
	seen := s.household.serve() // the link of the other is used
	browser.call("Page.navigate", map[string]any{"url": seen.link})
	browser.until(`document.querySelector("#start button:enabled") !== null`)
	browser.call("Page.navigate", map[string]any{"url": seen.base + "/c/" + id})
	browser.until(`document.activeElement.id === "text" && stream !== ""`)
	browser.writes("/usa")
	browser.until(`document.querySelector("#offers li")?.dataset.item === "/usage"`)
	browser.presses("Tab")
	browser.until(`document.querySelector("#text").value === "/usage " && document.querySelector("#offers").hidden`)
	browser.presses("Enter")
	browser.until(`document.querySelector("#log").innerText.includes("This session:") || document.querySelector("#log").innerText.includes("All sessions:")`)
	browser.writes("what is in @kett")
	browser.until(`document.querySelector("#offers li")?.dataset.item === "@kettle.txt"`)
	browser.presses("ArrowDown")
	browser.presses("Enter")
	browser.until(`document.querySelector("#text").value === "what is in @kettle.txt "`)
	browser.value(`addPictures([new File([Uint8Array.from(atob("` + dot + `"), (c) => c.charCodeAt(0))], "dot.png", { type: "image/png" })])`)
	browser.until(`document.querySelector("#shown button")?.innerText.startsWith("dot.png")`)
	browser.presses("Enter")
	browser.until(`document.querySelector("#log .you img[alt^='dot.png']")?.naturalWidth === 1`)
	browser.call("Page.reload", nil)
	browser.until(`document.querySelector("#log .you img[alt^='dot.png']")?.naturalWidth === 1`)
	browser.writes("mend it")
	browser.presses("Enter")
	const asks = `document.querySelector("#asks form")?.innerText.includes(%q) === true`
	browser.until(fmt.Sprintf(asks, "package parse"))
	browser.value(`document.querySelector("#asks [name=instead]").focus()`)
	browser.presses("Enter") // says nothing
	browser.writes("leave it")
	browser.value(`document.querySelector("#asks [data-choice=yes]").click()`)
	browser.until(`document.querySelector("#asks .error").innerText.includes("press No")`)
	browser.presses("Enter")
	browser.until(fmt.Sprintf(asks, "echo mended"))
	if _, err := os.Stat(filepath.Join(s.command.Dir, "parse.go")); err == nil {
		t.Error("words for a no made the change")
	}
	s.says("stop", id)
	browser.call("Page.navigate", map[string]any{"url": seen.base + "/c/" + id})
	browser.until(`document.querySelector("#start") !== null && document.querySelector("#log img[alt^='dot.png']")?.naturalWidth === 1`)
}

// Text that the user types on the page replaces the option that was selected before, as in the
// terminal.
func TestOwnWordsOnThePageReplaceTheOption(t *testing.T) {
	t.Parallel()
	browser := openChromium(t)
	told := make(chan string, 1)
	s := serve(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			told <- last.Result.Text
			return modeltest.Text("I see.")
		}
		return modeltest.Calls(modeltest.Call{Name: "ask_user", Args: map[string]any{"questions": []map[string]any{{"question": "Where?", "options": []map[string]string{{"label": "files"}, {"label": "memory"}}, "default": "files"}}}})
	})
	browser.call("Page.navigate", map[string]any{"url": s.link})
	browser.until(`document.querySelector("#start button:enabled") !== null`)
	browser.call("Page.navigate", map[string]any{"url": s.base + "/c/" + s.begins("go")})
	browser.until(`document.querySelector("#asks input[value=files]:checked") !== null`)
	browser.value(`document.querySelector("#asks fieldset input[type=text]").focus()`)
	browser.writes("in a pipe")
	browser.presses("Enter")
	browser.until(`document.querySelector("#log").innerText.includes("I see.")`)
	if result := <-told; !strings.Contains(result, "in a pipe") || strings.Contains(result, "files") {
		t.Errorf("the model is told %q", result)
	}
}

// The pages have no serious accessibility faults, on a desktop and on a phone, in light and dark
// colors. The test needs axe-core; AXE names its file.
func TestThePagesAreAccessible(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(axeFile())
	if err != nil {
		t.Skip("axe-core is not there: npm install axe-core, or AXE=…/axe.min.js")
	}
	browser := openChromium(t)
	s := serve(t, mending)
	s.enter()
	id := s.begin("mend it")
	s.until("/c/"+id+"/events", "data-ask")
	kept := s.begin("hello")
	s.until("/c/"+kept+"/events", "I see it.")
	s.says("stop", kept)
	seen := s.household.serve() // the link of the other is used
	browser.call("Page.navigate", map[string]any{"url": seen.link})
	browser.until(`document.querySelector("#asks form") !== null`)
	browser.call("Page.setBypassCSP", map[string]any{"enabled": true})
	pictures := os.Getenv("MARVIN_PICTURES") // a directory for those of the documentation
	for _, one := range []struct{ name, path, ready string }{
		{"home", "/", `document.querySelector("#asks form") !== null`},
		{"conversation", "/c/" + id, `document.querySelector("#asks form") !== null`},
		{"kept", "/c/" + kept, `document.querySelector("#start button:enabled") !== null`},
	} {
		for _, device := range []struct {
			name          string
			width, height int
		}{{"desk", 1100, 800}, {"phone", 390, 844}} {
			for _, scheme := range []string{"light", "dark"} {
				browser.size(device.width, device.height)
				browser.scheme(scheme)
				browser.call("Page.navigate", map[string]any{"url": seen.base + one.path})
				browser.until(`document.readyState === "complete" && ` + one.ready) // with the styles
				if wide := browser.value(`document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide != 0.0 {
					t.Errorf("%s on the %s is %v pixels too wide", one.name, device.name, wide)
				}
				if pictures != "" {
					browser.picture(filepath.Join(pictures, fmt.Sprintf("web-%s-%s-%s.png", one.name, device.name, scheme)))
				}
				browser.value(string(axe) + "; true")
				found, _ := browser.value(`axe.run().then((r) => JSON.stringify(r.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 200)).join(" "))))`).(string)
				var serious []string
				if err := json.Unmarshal([]byte(found), &serious); err != nil || len(serious) > 0 {
					t.Errorf("%s, %s, %s: %q %v", one.name, device.name, scheme, serious, err)
				}
			}
		}
	}
}

func axeFile() string {
	if path := os.Getenv("AXE"); path != "" {
		return path
	}
	return "/opt/npm/node_modules/axe-core/axe.min.js"
}

// picture writes what the browser shows.
func (c *chromium) picture(path string) {
	c.t.Helper()
	shot, _ := c.call("Page.captureScreenshot", map[string]any{"format": "png"})["data"].(string)
	command := exec.Command("base64", "-d")
	command.Stdin = strings.NewReader(shot)
	out, err := command.Output()
	if err == nil {
		err = os.WriteFile(path, out, 0o600)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// reloading runs in each page before the page's own script. At a random moment after the page
// received the conversation, it compares the words and loads the page again. Words that were shown
// once must be shown again.
const reloading = `addEventListener("DOMContentLoaded", () => {
  if (!location.pathname.startsWith("/c/")) return;
  const kept = sessionStorage, before = Number(kept.words || 0);
  const look = () => {
    const words = document.querySelector(".flow").innerText.match(/w\d\d\d/g) || [];
    if (stream === "" || words.length < before) return setTimeout(look, 5);
    if (words.some((word, i) => word !== "w" + String(i).padStart(3, "0"))) kept.wrong = words.join(" ");
    kept.words = words.length;
    kept.reloads = Number(kept.reloads || 0) + 1;
    if (!kept.wrong && !kept.enough && kept.reloads < %d) location.reload();
  };
  setTimeout(look, Math.random() * 60);
});`

// Pages that are loaded again at random moments of a streaming answer show each word once. RELOADS
// sets how often; "make crash" uses 1,000, which take a minute on two processors without other work.
// The test ends early on a busy machine.
func TestReloadsLoseNoWord(t *testing.T) {
	t.Parallel()
	const tabs, said = 4, 400 // a browser has six connections for an address
	reloads := 40             // a reload takes 0.1 s of processor time
	if testing.Short() {
		reloads = 12
	}
	if text := os.Getenv("RELOADS"); text != "" {
		reloads = atoi(t, text)
	}
	browser := openChromium(t)
	words := make(chan struct{})
	s := serve(t, func(request modeltest.Request) modeltest.Step {
		if len(request.Tools) == 0 {
			return modeltest.Text("A title")
		}
		step := modeltest.Text("begun ")
		for n := range said {
			step = step.Append(modeltest.Pause(words), modeltest.Text(fmt.Sprintf("w%03d ", n)))
		}
		return step.Append(modeltest.Text("over"))
	})
	browser.call("Page.navigate", map[string]any{"url": s.link})
	browser.until(`document.querySelector("#start button:enabled") !== null`)
	page := s.base + "/c/" + s.begins("go")
	var pages []*chromium
	for range tabs {
		tab := browser.opens("about:blank")
		tab.call("Page.enable", nil)
		tab.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": fmt.Sprintf(reloading, reloads/tabs)})
		tab.call("Page.navigate", map[string]any{"url": page})
		pages = append(pages, tab)
	}
	loaded, out, sum := make([]int, tabs), 0, 0
	for end := time.Now().Add(3 * patience / 2); sum < reloads && time.Now().Before(end); {
		sum = 0
		for i, tab := range pages {
			if count, is := tab.value(`Number(sessionStorage.reloads || 0)`).(float64); is { // else it is between two pages
				loaded[i] = int(count)
			}
			if wrong := tab.value(`sessionStorage.wrong`); wrong != nil {
				t.Fatalf("the words are %v", wrong)
			}
			sum += loaded[i]
		}
		for ; out < sum*said/reloads; out++ { // the answer takes as long as the reloads
			words <- struct{}{}
		}
		browser.value(`new Promise((done) => setTimeout(done, 200))`) // each look costs the pages time
	}
	t.Logf("%d reloads", sum)
	for _, tab := range pages {
		tab.until(`(sessionStorage.enough = "yes") === "yes"`)
	}
	for ; out < said; out++ {
		words <- struct{}{}
	}
	for _, tab := range pages {
		tab.until(`document.querySelector("#log .assistant")?.innerText.includes("over") === true && document.querySelector("#now").innerText === ""`)
		if got, _ := tab.value(`document.querySelector(".flow").innerText.match(/w\d\d\d/g).join(" ")`).(string); len(strings.Fields(got)) != said {
			t.Errorf("at the end there are %d words: %s", len(strings.Fields(got)), got)
		}
	}
}

// Two pages and a terminal show a question. Both pages press Yes at the same moment, and the
// command runs once; the other page and the terminal name the page that answered. The terminal
// answers the next question, and both pages say so.
func TestTwoPagesAndATerminalGiveOneAnswer(t *testing.T) {
	t.Parallel()
	one := openChromium(t)
	s := serve(t, runs("echo ran >> made"))
	one.call("Page.navigate", map[string]any{"url": s.link})
	one.until(`document.querySelector("#start button:enabled") !== null`)
	id := s.begins("make it")
	page := s.base + "/c/" + id
	one.call("Page.navigate", map[string]any{"url": page})
	two := one.opens(page)
	pages := []*chromium{one, two}
	terminal := s.pane(110, 40)
	terminal.press("m attach "+id, "Enter")
	terminal.sees("echo ran >> made", "[y]es")
	for _, tab := range pages {
		tab.until(`document.querySelector("#asks button[data-choice=yes]") !== null`)
	}
	for _, tab := range pages {
		tab.value(fmt.Sprintf(`setTimeout(() => document.querySelector("#asks button[data-choice=yes]").click(), %d - Date.now()); true`, time.Now().Add(300*time.Millisecond).UnixMilli()))
	}
	const done, told = `document.querySelector("#log").innerText.includes("done")`, `document.querySelector("#log").innerText.match(/\S+ \S+ answered yes/g)?.join()`
	var names []string
	for _, tab := range pages {
		tab.until(done + ` && document.querySelector("#asks form") === null`)
		if by, _ := tab.value(told).(string); by != "" {
			names = append(names, by)
		}
	}
	made := func() string {
		text, _ := os.ReadFile(filepath.Join(s.command.Dir, "made")) // without an answer it is not there
		return string(text)
	}
	if len(names) != 1 || !regexp.MustCompile(`^page \d+ answered yes$`).MatchString(names[0]) || made() != "ran\n" {
		t.Fatalf("the pages name %q, and the command wrote %q", names, made())
	}
	terminal.sees(names[0], "done")
	one.value(`document.querySelector("#text").value = "once more"; document.querySelector("#prompt button").click()`)
	for _, tab := range pages {
		tab.until(`document.querySelector("#asks button[data-choice=yes]") !== null`)
	}
	terminal.sees("waiting for your answer")
	time.Sleep(quietTime) // the user reads before answering
	terminal.press("y")
	for _, tab := range pages {
		tab.until(`document.querySelector("#log").innerText.includes("terminal pts/") && document.querySelector("#asks form") === null`)
	}
	terminal.until("a second end", func(shown string) bool { return strings.Count(shown, "done") == 2 })
	if made() != "ran\nran\n" {
		t.Errorf("the command wrote %q", made())
	}
}

// A phone opens the link that the terminal shows, which ends with the fingerprint of the
// certificate. After the user enters the phone's code at the terminal, the phone shows the page of
// all conversations. After the device is revoked, the open page says so and receives nothing more.
func TestADevicePairsInARealBrowser(t *testing.T) {
	t.Parallel()
	browser := openChromium(t)
	browser.call("Security.setIgnoreCertificateErrors", map[string]any{"ignore": true})
	s := newHousehold(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("Well.") }).serve("--listen", "127.0.0.1:0")
	browser.call("Page.navigate", map[string]any{"url": s.hears(`https://\S+#sha256=\S+`)})
	browser.until(`document.querySelector("#code") !== null`)
	code, _ := browser.value(`document.querySelector("#code").innerText`).(string)
	s.types(code)
	s.hears("Chrome on Linux is paired, with the role drive")
	browser.until(`location.pathname === "/" && document.querySelector("#start button:enabled") !== null`)
	var devices []struct{ ID string }
	if err := json.Unmarshal([]byte(s.says("web", "devices", "--output", "json")), &devices); err != nil || len(devices) != 1 {
		t.Fatalf("%v %v", devices, err)
	}
	s.says("web", "devices", "revoke", devices[0].ID)
	browser.until(`document.body.innerText.startsWith("This device was revoked")`)
	browser.call("Page.reload", nil)
	browser.until(`document.body?.innerText.includes("Marvin needs the link") === true`)
}
