package transcript

import (
	"cmp"
	"fmt"
	"html"
	"strings"

	"marvin/ui/termsafe"
)

// This package does not use html/template, which looks up methods by reflection. The linker would
// have to keep every method, and every process would be larger.

const pageBegin = `<!doctype html>
<html lang="und">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>%s</title>
<style>
:root { color-scheme: light dark; --text: #1b1f24; --back: #ffffff; --quiet: #57606a; --raised: #f3f5f7; --line: #d0d7de; --you: #0550ae; --bad: #a40e26 }
@media (prefers-color-scheme: dark) { :root { --text: #e2e6ea; --back: #14171a; --quiet: #9aa4ae; --raised: #1f2428; --line: #3a4148; --you: #79b8ff; --bad: #ff9492 } }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif }
h1 { font-size: 1.3rem } h2 { font-size: 1rem; margin: 1.6rem 0 .4rem } h2 time { color: var(--quiet); font-weight: normal }
.you h2 { color: var(--you) } .system { color: var(--bad) }
p { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .7rem; overflow-x: auto; font: 14px/1.45 ui-monospace, monospace }
details { margin: .5rem 0 } summary { cursor: pointer; color: var(--quiet) }
@media print { details > * { display: block } }
</style>
</head>
<body>
<h1>%s</h1>
`

// page returns a conversation as an HTML page that loads no resources and runs no scripts.
func page(title string, steps []Step) []byte {
	title = escape(cmp.Or(strings.TrimSpace(title), "A conversation with Marvin"))
	var text strings.Builder
	fmt.Fprintf(&text, pageBegin, title, title)
	sections(&text, steps)
	text.WriteString("</body>\n</html>\n")
	return []byte(text.String())
}

// sections writes the steps, with a heading where the speaker changes.
func sections(text *strings.Builder, steps []Step) {
	speaker := ""
	for _, step := range steps {
		name := step.speaker()
		if step.Role == "tool" && strings.HasPrefix(speaker, name) {
			name = speaker // the model that called the tool
		}
		head := ""
		if name != speaker || step.Role == "you" {
			head = fmt.Sprintf("<h2>%s <time datetime=\"%s\">%s</time></h2>\n", escape(name), step.At.Format("2006-01-02T15:04:05Z07:00"), step.At.Format("2006-01-02 15:04"))
		}
		speaker = name
		fmt.Fprintf(text, "<section class=\"%s\">\n%s", step.Role, head)
		if step.Thinking != "" {
			fmt.Fprintf(text, "<details><summary>💭 reasoning</summary>\n<p>%s</p></details>\n", escape(strings.TrimSpace(step.Thinking)))
		}
		for _, picture := range step.Pictures {
			fmt.Fprintf(text, "<p>🖼 %s</p>\n", escape(picture))
		}
		switch step.Role {
		case "tool":
			fmt.Fprintf(text, "<details><summary>🔧 %s (%s)</summary>\n<pre>%s</pre></details>\n", escape(cmp.Or(step.Title, step.Name)), escape(step.Status), escape(step.textWithCommand()))
		case "shell":
			fmt.Fprintf(text, "<pre>$ %s\n%s</pre>\n", escape(step.Name), escape(step.Text))
		default:
			blocks(text, step.Text)
		}
		text.WriteString("</section>\n")
	}
}

func escape(text string) string { return html.EscapeString(termsafe.String(text)) }

// blocks appends the HTML form of an answer to the output. Fenced blocks become <pre> elements, and
// the text between them becomes paragraphs.
func blocks(out *strings.Builder, answer string) {
	var piece strings.Builder
	fence := ""
	flush := func(tag string) {
		if body := strings.Trim(piece.String(), "\n"); body != "" {
			fmt.Fprintf(out, "<%s>%s</%s>\n", tag, escape(body), tag)
		}
		piece.Reset()
	}
	for line := range strings.Lines(answer) {
		mark := strings.TrimSpace(line)
		switch {
		case fence == "" && strings.HasPrefix(mark, "```"):
			flush("p")
			fence = mark[:len(mark)-len(strings.TrimLeft(mark, "`"))]
		case fence != "" && strings.Trim(mark, "`") == "" && len(mark) >= len(fence):
			flush("pre")
			fence = ""
		default:
			piece.WriteString(line)
		}
	}
	if fence != "" {
		flush("pre")
		return
	}
	flush("p")
}
