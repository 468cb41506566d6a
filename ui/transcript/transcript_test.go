package transcript_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/transcript"
)

// hostile is text that models, tools and files may contain.
const hostile = "<script>alert(1)</script> \x1b]0;title\x07 \u202edlrow & \"quoted\" <img src=x onerror=y>"

func TestExportsSayWhichModelThoughtWhat(t *testing.T) {
	steps := transcript.Recalled(messages.Recalled{Prompt: "go", Shown: []string{"map.png"}, Steps: []messages.RecalledStep{
		{Thinking: "hm\n<b>", Model: "groq/llama", Usage: messages.RoundTrip{Output: 3}}, {Tool: "tree", Title: "tree", Text: "a", Source: messages.FromFile}, {Tool: "run_command", Title: "run_command go te…", Command: "go test ./...\nls", Text: "ok"}, {Text: "so", Model: "groq/llama"},
	}})
	for path, wants := range map[string][]string{
		"a.md":   {"## Marvin (groq/llama), ", "> hm\n> <b>\n", "🖼 map.png", "\nso\n", "```\n$ go test ./...\nls\nok\n```\n"},
		"a.html": {"<h2>Marvin (groq/llama) <time", "<summary>💭 reasoning</summary>\n<p>hm\n&lt;b&gt;</p>", "🖼 map.png", "<pre>$ go test ./...\nls\nok</pre>"},
		"a.json": {`"model": "groq/llama"`, `"thinking": "hm\n<b>"`, `"source": "file"`, `"output": 3`, `"map.png"`, `"command": "go test ./...\nls"`},
	} {
		content, err := transcript.Format(path, "t", steps)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(content), want) {
				t.Errorf("%s has no %q:\n%s", path, want, content)
			}
		}
		if path == "a.md" && strings.Count(string(content), "## Marvin") != 1 {
			t.Errorf("a turn of one model has several headings:\n%s", content)
		}
	}
}

func TestAPageRunsAndLoadsNothing(t *testing.T) {
	at := time.Date(2026, 11, 22, 14, 47, 0, 0, time.UTC)
	steps := transcript.Recalled(messages.Recalled{At: at, Prompt: hostile, Outcome: messages.Failed, Err: hostile, Steps: []messages.RecalledStep{
		{Text: "before\n```html\n" + hostile + "\n```\nafter " + hostile},
		{Text: hostile, Said: true},
		{Tool: "fetch", Title: hostile, Status: messages.OK, Text: hostile},
		{Text: "an open fence\n````\n```\nstill code"},
	}})
	if len(steps) != 6 || steps[2].Role != "you" || steps[5].Role != "system" {
		t.Fatalf("%+v", steps)
	}
	steps = append(steps, transcript.Step{At: at, Role: "shell", Name: hostile, Text: hostile})
	content, err := transcript.Format("talk.HTML", hostile, steps)
	if err != nil {
		t.Fatal(err)
	}
	page := string(content)
	if strings.Contains(page, "<script") || strings.Contains(page, "<img") || strings.ContainsAny(page, "\x1b\x07\u202e") || strings.Contains(page, "http:") || strings.Contains(page, "https:") {
		t.Errorf("it is not harmless: %s", page)
	}
	for _, want := range []string{
		"<title>&lt;script&gt;", "<pre>&lt;script&gt;", "<p>before</p>", "<p>after &lt;", "<pre>```\nstill code</pre>", "default-src 'none'", "color-scheme: light dark",
		`<time datetime="2026-11-22T14:47:00Z">`, "<summary>🔧 &lt;script",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in %s", want, page)
		}
	}
}

func TestEveryFormSaysTheSame(t *testing.T) {
	steps := []transcript.Step{{Role: "you", Text: "why?"}, {Role: "tool", Name: "look", Title: "look", Status: "ok", Text: "```seen```"}, {Role: "assistant", Text: "because"}}
	for _, name := range []string{"a.md", "a.json", "a.html"} {
		content, err := transcript.Format(name, "", steps)
		if err != nil || !transcript.Writes(name) {
			t.Fatal(name, err)
		}
		for _, want := range []string{"why?", "seen", "because"} {
			if !strings.Contains(string(content), want) {
				t.Errorf("%s has no %q", name, want)
			}
		}
	}
	content, err := transcript.Format("a.json", "", steps)
	var back []transcript.Step
	if err != nil || json.Unmarshal(content, &back) != nil || len(back) != 3 || !reflect.DeepEqual(back[1], steps[1]) {
		t.Errorf("%s, %v", content, err)
	}
	if _, err := transcript.Format("a.pdf", "", steps); err == nil || transcript.Writes("a.pdf") {
		t.Error("a form that nobody knows")
	}
}

func TestARefusedCallHasNoTextForTheModel(t *testing.T) {
	const told = "Error: the user refused this call. Do not try it again. " + messages.RefusalPhrase
	steps := transcript.Recalled(messages.Recalled{Prompt: "go", Steps: []messages.RecalledStep{
		{Tool: "run_command", Title: "run_command ls", Status: messages.Denied, Text: "Error: the user refused this call."},
		{Tool: "run_command", Title: "run_command rm x", Status: messages.Denied, Text: told + "move it"},
	}})
	content, err := transcript.Format("a.md", "", steps)
	if text := string(content); err != nil || strings.Contains(text, "the user") || !strings.Contains(text, "🔧 run_command ls (denied)\n\n🔧 run_command rm x (denied)\n\n```\nyou want instead: move it\n```\n") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestTwoBranchesStandSideBySide(t *testing.T) {
	said := func(texts ...string) (steps []transcript.Step) {
		for i, text := range texts {
			steps = append(steps, transcript.Step{Role: []string{"you", "assistant"}[i%2], Text: text, At: time.Unix(int64(i), 0)})
		}
		return steps
	}
	left, right := said("go", "one", "and then?", hostile), said("go", "one", "or else?")
	left[0].At = time.Unix(100, 0) // the copy has a later time
	content := string(transcript.Compare(transcript.Side{Title: "A " + hostile, Steps: left}, transcript.Side{Title: "B", Steps: right}))
	for text, count := range map[string]int{"<p>go</p>": 1, "<p>one</p>": 1, "Both begin with the same 2 steps": 1, "<p>and then?</p>": 1, "<p>or else?</p>": 1, "<h1>B</h1>": 1, "<script": 0, "\x1b": 0, "\u202e": 0} {
		if got := strings.Count(content, text); got != count {
			t.Errorf("%q stands %d times, want %d:\n%s", text, got, count, content)
		}
	}
	for name, sides := range map[string][2][]transcript.Step{"They are the same": {left, left}, "It ends here": {left, left[:1]}, "no common beginning": {left, said("other")}} {
		if content := string(transcript.Compare(transcript.Side{Steps: sides[0]}, transcript.Side{Steps: sides[1]})); !strings.Contains(content, name) {
			t.Errorf("a page does not say %q:\n%s", name, content)
		}
	}
}

// The page is valid HTML: each part is closed, and code is separate from text.
func TestThePartsOfAPage(t *testing.T) {
	at := time.Date(2026, 11, 22, 14, 47, 0, 0, time.UTC)
	content, err := transcript.Format("a.html", "Tea & time", []transcript.Step{
		{At: at, Role: "you", Text: "go"},
		{At: at, Role: "assistant", Model: "groq/llama", Thinking: " hm ", Text: "Look:\n\n````go\nx\n```\n````\nbehind", Pictures: []string{"map.png"}},
		{At: at, Role: "tool", Name: "tree", Status: "ok", Text: "a<b"},
		{At: at, Role: "assistant", Model: "groq/llama", Text: "```\nopen"},
		{At: at, Role: "shell", Name: "ls", Text: "b"},
		{At: at, Role: "system", Text: "cut"},
		{At: at, Role: "you", Text: "on"},
		{At: at, Role: "you", Text: ""},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(content), "<body>")
	const head = " <time datetime=\"2026-11-22T14:47:00Z\">2026-11-22 14:47</time></h2>\n"
	want := "\n<h1>Tea &amp; time</h1>\n" +
		"<section class=\"you\">\n<h2>You" + head + "<p>go</p>\n</section>\n" +
		"<section class=\"assistant\">\n<h2>Marvin (groq/llama)" + head + "<details><summary>💭 reasoning</summary>\n<p>hm</p></details>\n<p>🖼 map.png</p>\n<p>Look:</p>\n<pre>x\n```</pre>\n<p>behind</p>\n</section>\n" +
		"<section class=\"tool\">\n<details><summary>🔧 tree (ok)</summary>\n<pre>a&lt;b</pre></details>\n</section>\n" +
		"<section class=\"assistant\">\n<pre>open</pre>\n</section>\n" +
		"<section class=\"shell\">\n<h2>You" + head + "<pre>$ ls\nb</pre>\n</section>\n" +
		"<section class=\"system\">\n<h2>System" + head + "<p>cut</p>\n</section>\n" +
		"<section class=\"you\">\n<h2>You" + head + "<p>on</p>\n</section>\n" +
		"<section class=\"you\">\n<h2>You" + head + "</section>\n"
	if !strings.HasPrefix(body, want) {
		t.Errorf("it is\n%s\nnot\n%s", body, want)
	}
}
