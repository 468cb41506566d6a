package web

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
)

// question returns an HTML form for a question. session is the conversation's id, or "" on the
// conversation's own page. The digest in the form ensures that an answer is not used for another
// question.
func question(session string, asked messages.Asked) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<form class=\"ask\" data-session=\"%s\" data-ask=\"%s\" data-digest=\"%s\" data-kind=\"%s\">",
		escape(session), escape(asked.Ask), asked.Fingerprint(), escape(string(asked.Kind)))
	fmt.Fprintf(&out, "<h2>%s</h2>", escape(asked.Title))
	switch {
	case asked.Kind == messages.AskPlan:
		out.WriteString(markdown(asked.Detail))
	case asked.Diff:
		out.WriteString(code("diff", asked.Detail))
	case len(asked.Questions) == 0 && len(asked.Fields) == 0:
		out.WriteString(verbatim("what is asked", asked.Detail))
	}
	if asked.More != "" {
		fmt.Fprintf(&out, "<p class=\"quiet\">%s</p>", escapeLines(asked.More))
	}
	for i, one := range asked.Questions {
		choice(&out, i, one)
	}
	for _, one := range asked.Fields {
		field(&out, one)
	}
	if !asked.Deadline.IsZero() {
		fmt.Fprintf(&out, "<p class=\"quiet\">Without an answer, the default applies at <time datetime=\"%s\">%s</time>.</p>", asked.Deadline.Format("2006-01-02T15:04:05Z07:00"), asked.Deadline.Format("15:04:05"))
	}
	writeButtons(&out, asked)
	out.WriteString("<p class=\"error\" role=\"alert\"></p></form>")
	return out.String()
}

// choice renders a question and its options.
func choice(out *strings.Builder, number int, one messages.Question) {
	kind := "radio"
	if one.Several {
		kind = "checkbox"
	}
	fmt.Fprintf(out, "<fieldset data-question=\"%d\"><legend>%s</legend>", number, escapeLines(one.Text))
	for _, option := range one.Options {
		checked, reason := "", option.Reason
		if slices.Contains(one.Default, option.Label) {
			checked = " checked"
		}
		if option.Recommended {
			reason = strings.TrimSpace("(recommended) " + reason)
		}
		fmt.Fprintf(out, "<label><input type=\"%s\" name=\"o%d\" value=\"%s\"%s> %s <span class=\"quiet\">%s</span></label>", kind, number, escape(option.Label), checked, escape(option.Label), escape(reason))
	}
	if one.Free || len(one.Options) == 0 {
		fmt.Fprintf(out, "<label>In your own words <input type=\"text\" name=\"t%d\"></label>", number)
	}
	out.WriteString("</fieldset>")
}

// field renders one field of a form.
func field(out *strings.Builder, one messages.Field) {
	title := cmp.Or(one.Title, one.Name)
	if one.Required {
		title += " (needed)"
	}
	attributes := fmt.Sprintf("data-field=\"%s\" data-type=\"%s\"", escape(one.Name), escape(string(one.Type)))
	fmt.Fprintf(out, "<label>%s ", escape(title))
	switch one.Type {
	case messages.BooleanField:
		checked := ""
		if one.Default == true {
			checked = " checked"
		}
		fmt.Fprintf(out, "<input type=\"checkbox\" %s%s>", attributes, checked)
	case messages.EnumField, messages.ChoicesField:
		several := ""
		if one.Type == messages.ChoicesField {
			several = " multiple"
		}
		fmt.Fprintf(out, "<select %s%s>", attributes, several)
		for _, option := range one.Options {
			fmt.Fprintf(out, "<option%s>%s</option>", selectedAttribute(one.Default, option), escape(option))
		}
		out.WriteString("</select>")
	default:
		kind, value := "text", ""
		if one.Type == messages.NumberField {
			kind = "number\" step=\"any"
		}
		if one.Default != nil {
			value = fmt.Sprint(one.Default)
		}
		fmt.Fprintf(out, "<input type=\"%s\" %s value=\"%s\">", kind, attributes, escape(value))
	}
	if one.Doc != "" {
		fmt.Fprintf(out, "<span class=\"quiet\">%s</span>", escape(one.Doc))
	}
	out.WriteString("</label>")
}

// selectedAttribute returns the HTML attribute that preselects an option, or "" if the option is
// not the default.
func selectedAttribute(value any, option string) string {
	switch value := value.(type) {
	case string:
		if value == option {
			return " selected"
		}
	case []string:
		if slices.Contains(value, option) {
			return " selected"
		}
	case []any:
		if slices.Contains(value, any(option)) {
			return " selected"
		}
	}
	return ""
}

func writeButtons(out *strings.Builder, asked messages.Asked) {
	yes, no := "Yes", "No"
	if len(asked.Questions) > 0 || len(asked.Fields) > 0 {
		yes, no = "Answer", "Do not answer"
	} else {
		out.WriteString("<label>If you answer no, what to do instead: <input type=\"text\" name=\"instead\"></label>")
	}
	out.WriteString("<p class=\"buttons\">")
	for _, one := range []struct {
		choice messages.Choice
		text   string
	}{{messages.Yes, yes}, {messages.Always, "Always: " + asked.Always}, {messages.No, no}} {
		if one.choice != messages.Always && len(asked.Choices) == 0 || slices.Contains(asked.Choices, one.choice) && (one.choice != messages.Always || asked.Always != "") {
			fmt.Fprintf(out, "<button data-choice=\"%s\">%s</button> ", escape(string(one.choice)), escape(one.text))
		}
	}
	out.WriteString("</p>")
}
