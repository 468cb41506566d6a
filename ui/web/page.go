package web

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"marvin/messages"
)

// document renders a whole page for a role. stream is the address of the page's events, or "" if
// the page receives no events.
func document(title, stream string, role messages.WindowRole, body string) string {
	return fmt.Sprintf(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/web.css">
<script src="/web.js" defer></script>
</head>
<body data-stream="%s" data-role="%s">
<a class="skip" href="#main">Skip to the content</a>
%s
</body>
</html>
`, escape(title), escape(stream), escape(string(role)), body)
}

// noScript is shown in browsers that run no scripts. The submit buttons stay disabled there,
// because submitting a form without the script would lose the user's input.
const noScript = `<noscript><p class="error">This page needs JavaScript: allow scripts for this address.</p></noscript>`

// home renders the page that lists all conversations.
func home(dir string, role messages.WindowRole, live []part, kept []StoredSession) string {
	var out strings.Builder
	out.WriteString("<header><h1>Marvin</h1><p id=\"link\" class=\"quiet\" role=\"status\"></p></header>\n<main id=\"main\">" + noScript)
	out.WriteString("<section aria-labelledby=\"h-inbox\"><h2 id=\"h-inbox\">Waiting for you</h2><div id=\"asks\" aria-live=\"polite\">" + partsIn(live, "asks") + "</div></section>\n")
	out.WriteString("<section aria-labelledby=\"h-live\"><h2 id=\"h-live\">Running</h2><ul id=\"live\" class=\"list\">" + partsIn(live, "live") + "</ul></section>\n")
	fmt.Fprintf(&out, `<section aria-labelledby="h-new"><h2 id="h-new">New conversation</h2>
<form id="start"><label>Directory <input name="dir" type="text" value="%s" autocomplete="off" spellcheck="false"></label>
<label>What to do <textarea name="prompt" rows="3" required></textarea></label>
<p class="buttons"><button disabled>Begin</button></p><p class="error" role="alert"></p></form></section>
`, escape(dir))
	out.WriteString("<section aria-labelledby=\"h-kept\"><h2 id=\"h-kept\">Stored</h2><ul class=\"list\">")
	for _, one := range kept {
		fmt.Fprintf(&out, "<li><a href=\"/c/%s\">%s</a> <span class=\"quiet\">%s · %s · $%.4f</span></li>\n", url.PathEscape(one.ID), escape(named(one.Title, one.ID)), one.Updated.Format("2006-01-02 15:04"), escape(one.Dir), one.Cost)
	}
	if len(kept) == 0 {
		out.WriteString("<li class=\"quiet\">No conversation is stored yet.</li>")
	}
	out.WriteString("</ul></section></main>")
	return document("Marvin", "/events", role, out.String())
}

func named(title, id string) string {
	if title = line(title, 120); title != "" {
		return title
	}
	return id
}

// partsIn returns the HTML of all parts that have the given parent.
func partsIn(all []part, in string) string {
	var out strings.Builder
	for _, one := range all {
		if one.In == in {
			fmt.Fprintf(&out, "<%s id=\"%s\">%s</%[1]s>", tagIn[in], one.ID, one.HTML)
		}
	}
	return out.String()
}

// tagIn maps the id of a parent element to the tag of its children.
var tagIn = map[string]string{"live": "li", "asks": "div"}

// listParts renders the running conversations and their unanswered questions as parts of the home
// page.
func listParts(all []messages.Live, now time.Time) (parts []part) {
	for _, one := range all {
		for _, asked := range one.Waits {
			where := fmt.Sprintf("<p class=\"quiet\"><a href=\"/c/%s\">%s</a> · %s · waiting since <time datetime=\"%s\">%s</time></p>",
				url.PathEscape(one.ID), escape(named(one.Title, one.ID)), escape(one.Dir), one.Asked.Format(time.RFC3339), one.Asked.Local().Format("15:04"))
			parts = append(parts, part{"asks", "q" + asked.Fingerprint() + domID(one.ID), where + question(one.ID, asked)})
		}
		html := fmt.Sprintf("<a href=\"/c/%s\">%s</a> <span class=\"state %s\">%s</span> <span class=\"quiet\">since %s · %s · $%.4f</span>",
			url.PathEscape(one.ID), escape(named(one.Title, one.ID)), escape(string(one.State)), escape(string(one.State)), one.Since.Local().Format("15:04"), escape(one.Dir), one.Cost)
		parts = append(parts, part{"live", "l" + domID(one.ID), html})
	}
	return parts
}

// domID makes the id of a conversation suitable for use in the id of an element.
func domID(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, id)
}

const back = `<nav aria-label="pages"><a href="/">All conversations</a></nav>`

// talk renders the page of a running conversation. The browser loads the content from the event
// stream.
func talk(one messages.Live, role messages.WindowRole) string {
	title := named(one.Title, one.ID)
	body := fmt.Sprintf(`<header>%s<h1>%s</h1><p class="quiet">%s</p></header>
<main id="main" class="talk">%s
<div class="flow"><div id="log" role="log" aria-live="polite" aria-label="conversation"></div>
<div id="now" aria-live="off" aria-label="the answer as it comes" role="region"></div>
<div id="doing"></div>
<div id="asks" aria-live="assertive"></div></div>
<aside id="side" aria-label="plan and changes"></aside>
</main>
<footer>
<p id="status" role="status" aria-live="off"></p><p id="link" class="quiet" role="status"></p>
<form id="prompt"><label class="hidden" for="text">Prompt</label>
<ul id="offers" role="listbox" aria-label="completions" hidden></ul>
<textarea id="text" name="text" rows="2" placeholder="Ask Marvin; / begins a command, @ names a file" title="Enter sends, Shift+Enter starts a new line" aria-autocomplete="list" aria-controls="offers" autofocus></textarea>
<p id="shown" class="buttons" aria-live="polite"></p>
<p class="buttons"><button disabled>Send</button>
<label class="button">Picture <input id="picture" class="hidden" type="file" accept="image/png,image/jpeg,image/gif,image/webp" multiple></label>
<button type="button" data-op="steer" title="Send it into the running turn">Steer</button>
<button type="button" data-op="cancel" title="End the running turn (Esc)">Cancel</button>
<button type="button" data-op="undo" title="Undo the changes of the last turn">Undo</button>
<button type="button" data-op="changes">Changes</button>
<button type="button" data-op="stop" title="End the conversation. It is kept">End</button></p>
<p class="error" role="alert"></p></form>
</footer>`, back, escape(title), escape(one.Dir), noScript)
	return document(title, "/c/"+url.PathEscape(one.ID)+"/events", role, body)
}

// storedPage renders the page of a stored conversation.
func storedPage(kept StoredSession, turns []messages.Recalled, role messages.WindowRole) string {
	title := named(kept.Title, kept.ID)
	var out strings.Builder
	fmt.Fprintf(&out, "<header>%s<h1>%s</h1><p class=\"quiet\">%s · %s · $%.4f</p></header>\n<main id=\"main\" class=\"talk\"><div class=\"flow\"><div id=\"log\">", back, escape(title), escape(kept.Dir), kept.Updated.Format("2006-01-02 15:04"), kept.Cost)
	shows := &view{}
	for _, turn := range turns {
		shows.applyEvent(messages.Envelope{At: turn.At, Event: turn})
	}
	for _, item := range shows.items {
		out.WriteString(item.HTML + "\n")
	}
	fmt.Fprintf(&out, `</div></div></main>
<footer><form id="start"><input type="hidden" name="resume" value="%s"><label class="hidden" for="text">Prompt</label>
<textarea id="text" name="prompt" rows="2" required placeholder="Continue this conversation"></textarea>
<p class="buttons"><button disabled>Go on</button></p><p class="error" role="alert"></p></form></footer>`, escape(kept.ID))
	return document(title, "", role, out.String())
}
