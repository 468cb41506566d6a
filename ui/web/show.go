package web

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/conversation"
	"marvin/ui/transcript"
)

// part is an element of the page. The field In is the id of the parent element.
type part struct{ In, ID, HTML string }

// view converts the events of a conversation to the parts of one page.
type view struct {
	name    string // name that other windows show next to answers from this page
	state   conversation.State
	round   int    // number of complete redraws of the log
	items   []part // entries of the log: steps and notices, in order
	taken   int    // number of steps that have been added to the log
	changes string
}

func (v *view) applyEvent(envelope messages.Envelope) {
	change := v.state.Apply(envelope)
	if _, cleared := envelope.Event.(messages.Cleared); cleared || v.taken > len(v.state.Steps) {
		v.items, v.taken, v.changes = nil, 0, ""
		v.round++
	}
	if change.Thought != nil {
		v.log("thought", renderFolded("💭 reasoning", markdown(change.Thought.Text)))
	}
	var diff string
	switch event := envelope.Event.(type) {
	case messages.ToolEnded:
		if event.View != nil && event.View.Kind == messages.Diff {
			diff = event.View.Text
		}
	case messages.Answered:
		if change.Settled != "" && event.By != v.name {
			v.log("notice info", "<p role=\"status\">"+escapeLines(change.Settled)+"</p>")
		}
	case messages.Notice:
		v.log("notice "+string(event.Level), "<p>"+escapeLines(event.Text)+"</p>")
	case messages.Refused:
		v.log("notice problem", "<p role=\"alert\">"+escapeLines(event.Err)+"</p>")
	case messages.Withdrawn:
		v.log("notice warning", "<p role=\"status\">Not sent, because the turn ended: "+escapeLines(event.Prompt)+"</p>")
	case messages.Changes:
		v.changes = renderChanges(event)
	default: // v.state.Apply has handled the event
	}
	images := slices.Concat(messages.ImagesOf(envelope.Event)...)
	for ; v.taken < len(v.state.Steps); v.taken++ {
		step := v.state.Steps[v.taken]
		own := images[:min(len(step.Pictures), len(images))]
		if v.taken == len(v.state.Steps)-1 {
			own = images // a tool result has images but no picture labels
		}
		images = images[len(own):]
		v.log(step.Role, renderStep(step, diff, own))
	}
	if ended, is := envelope.Event.(messages.TurnEnded); is && ended.Outcome == messages.Cancelled && ended.Err == "" {
		v.log("notice info", "<p role=\"status\">Cancelled.</p>")
	}
}

func (v *view) log(class, html string) {
	id := fmt.Sprintf("i%d-%d", v.round, len(v.items))
	v.items = append(v.items, part{"log", id, "<article class=\"" + escape(class) + "\">" + html + "</article>"})
}

// parts returns the current parts of the page.
func (v *view) parts() []part {
	all := append([]part{}, v.items...)
	add := func(in, id, html string) {
		if html != "" {
			all = append(all, part{in, id, html})
		}
	}
	for i, block := range markdownBlocks(v.state.LastText()) {
		add("now", fmt.Sprintf("s%d-%d", len(v.items), i), block)
	}
	add("doing", "calls", renderCalls(v.state.Calls))
	for _, asked := range v.state.Asked {
		add("asks", "q"+asked.Fingerprint(), question("", asked))
	}
	add("side", "plan", plan(v.state.Plan))
	add("side", "changes", v.changes)
	add("status", "state", status(&v.state))
	return all
}

// speakers is a map from a step's role to the name shown above the step.
var speakers = map[string]string{"you": "You", "assistant": "Marvin", "shell": "You ran", "system": "Marvin says"}

// renderStep renders a step with its pictures. A non-empty diff replaces the tool's result.
func renderStep(step transcript.Step, diff string, images []messages.Picture) string {
	var out strings.Builder
	if name := speakers[step.Role]; name != "" {
		fmt.Fprintf(&out, "<h2>%s <time datetime=\"%s\">%s</time></h2>", name, step.At.Format(time.RFC3339), step.At.Format("15:04"))
	}
	if step.Thinking != "" {
		out.WriteString(renderFolded("💭 reasoning", markdown(step.Thinking)))
	}
	if len(images) == 0 {
		for _, label := range step.Pictures {
			fmt.Fprintf(&out, "<p>🖼 %s</p>", escape(label))
		}
	}
	switch step.Role {
	case "tool":
		out.WriteString(tool(step, diff))
	case "shell":
		out.WriteString(verbatim("command", "$ "+step.Name+"\n"+step.Text))
	case "assistant":
		out.WriteString(markdown(step.Text))
	default:
		out.WriteString("<p>" + escapeLines(step.Text) + "</p>")
	}
	for i, image := range images {
		out.WriteString(picture(image, i+1))
	}
	return out.String()
}

// safePictureTypes contains the types of pictures that cannot run code in the browser.
var safePictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// picture renders an image, or its name if the type is unsafe or the data is missing.
func picture(image messages.Picture, number int) string {
	name := cmp.Or(image.Name, image.Note, fmt.Sprintf("picture %d", number))
	if !slices.Contains(safePictureTypes, image.Type) || len(image.Data) == 0 {
		return "<p>🖼 " + escape(name) + "</p>"
	}
	return fmt.Sprintf("<p><img src=\"data:%s;base64,%s\" alt=\"%s\"></p>", image.Type, base64.StdEncoding.EncodeToString(image.Data), escape(name))
}

// tool renders a finished tool call.
func tool(step transcript.Step, diff string) string {
	title := cmp.Or(step.Title, step.Name)
	mark := "✓"
	if step.Status != string(messages.OK) {
		mark = "✗ " + step.Status + ":"
	}
	head := escape(mark + " " + line(title, 160))
	if diff != "" {
		return "<details open><summary>" + head + "</summary>" + code("diff", diff) + "</details>"
	}
	text := step.Text
	if step.Command != "" {
		text = "$ " + step.Command + "\n" + text
	}
	return renderFolded(head, verbatim("result", text))
}

// renderFolded renders a heading and collapsed content. Both arguments are HTML.
func renderFolded(head, html string) string {
	return "<details><summary>" + head + "</summary>" + html + "</details>"
}

// escapeLines escapes text and keeps its line breaks.
func escapeLines(text string) string {
	return strings.ReplaceAll(escape(strings.TrimSpace(text)), "\n", "<br>\n")
}

func renderCalls(running []*conversation.Call) string {
	if len(running) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("<ul class=\"calls\" aria-label=\"running calls\">")
	for _, call := range running {
		title := ui.CallTitle(messages.ToolEnded{Name: call.Name, Title: call.Title})
		fmt.Fprintf(&out, "<li><span class=\"spin\" aria-hidden=\"true\">◌</span> %s", escape(line(title, 160)))
		for i, agent := range call.Agents {
			if i == 0 {
				out.WriteString("<ul aria-label=\"sub-agents\">")
			}
			fmt.Fprintf(&out, "<li>%s: %s", escape(line(agent.Name, 80)), escape(string(agent.State)))
			if agent.Doing != "" && agent.Runs() {
				fmt.Fprintf(&out, ", %s", escape(line(agent.Doing, 100)))
			}
			if agent.Result != "" {
				fmt.Fprintf(&out, ", %s", escape(line(agent.Result, 160)))
			}
			if agent.Cost > 0 {
				fmt.Fprintf(&out, ", $%.4f", agent.Cost)
			}
			out.WriteString("</li>")
		}
		if len(call.Agents) > 0 {
			out.WriteString("</ul>")
		}
		out.WriteString("</li>")
	}
	return out.String() + "</ul>"
}

func plan(plan messages.Plan) string {
	if len(plan.Steps) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<h2>Plan</h2><p class=\"quiet\">%s</p><ul class=\"plan\">", escape(plan.Short()))
	for _, step := range plan.Steps {
		word := strings.ReplaceAll(string(step.Status), "_", " ")
		fmt.Fprintf(&out, "<li class=\"%s\"><span class=\"hidden\">%s:</span> %s</li>", escape(string(step.Status)), escape(word), escape(step.Text))
	}
	return out.String() + "</ul>"
}

// status renders the status line: the model, the current activity and the cost.
func status(s *conversation.State) string {
	doing := "ready"
	switch {
	case s.Closed:
		doing = "ended"
	case len(s.Asked) > 0:
		doing = "waits for you"
	case s.Turn.Running:
		doing = cmp.Or(s.Turn.Doing, "working")
	case !s.Opened:
		doing = "opening"
	}
	class := "ready"
	if s.Turn.Running {
		class = "running"
	}
	text := fmt.Sprintf("<span class=\"%s\">%s</span> · %s · %s", class, escape(doing), escape(s.Turn.Model), escape(s.Cost()))
	if s.Context.Limit > 0 {
		text += fmt.Sprintf(" · context %d%%", s.Context.Used*100/s.Context.Limit)
	}
	if s.Approval != "" {
		text += " · " + escape(string(s.Approval))
	}
	return text
}

func renderChanges(all messages.Changes) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<h2>Changes</h2><p>%s, +%d −%d</p>", messages.Counted(len(all.Files), "file"), all.Added, all.Removed)
	for _, file := range all.Files {
		fmt.Fprintf(&out, "<details open><summary>%s +%d −%d</summary>", escape(file.Name), file.Added, file.Removed)
		for _, about := range []string{file.Missing, file.Refused} {
			if about != "" {
				fmt.Fprintf(&out, "<p class=\"quiet\">%s</p>", escape(about))
			}
		}
		for i, hunk := range file.Hunks {
			out.WriteString(code("diff", hunk))
			if file.Refused == "" {
				fmt.Fprintf(&out, "<button data-op=\"back\" data-path=\"%s\" data-hunk=\"%d\" data-seen=\"%s\">Undo this part</button>", escape(file.Path), i+1, escape(file.Seen))
			}
		}
		out.WriteString("</details>")
	}
	for _, note := range all.Notes {
		fmt.Fprintf(&out, "<p class=\"quiet\">%s</p>", escape(note))
	}
	return out.String()
}
