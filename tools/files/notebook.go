package files

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"marvin/messages"
	"marvin/tools"
)

// A notebook is a JSON file, and its pictures are a hundred times larger than its code. Only the
// cells and the beginning of each output are shown.

// Limits for one output of a cell.
const (
	outputLines = 20
	outputBytes = 2000
)

// cellText is the source or an output of a cell. A notebook stores it as one string or as a list of
// lines.
type cellText string

func (w *cellText) UnmarshalJSON(data []byte) error {
	var lines []string
	if json.Unmarshal(data, &lines) == nil {
		*w = cellText(strings.Join(lines, ""))
		return nil
	}
	var whole string
	err := json.Unmarshal(data, &whole)
	*w = cellText(whole)
	return err
}

type cell struct {
	Kind    string   `json:"cell_type"`
	Source  cellText `json:"source"`
	Count   *int     `json:"execution_count"`
	Outputs []output `json:"outputs"`
}

type output struct {
	Kind  string                     `json:"output_type"`
	Text  cellText                   `json:"text"`
	Data  map[string]json.RawMessage `json:"data"`
	Error string                     `json:"ename"`
	Value string                     `json:"evalue"`
}

// notebook converts the cells of a Jupyter file to text. For other files, ok is false. A call with
// a range shows the file's JSON instead, because edits apply to the JSON.
func (s source) notebook(name string) (shown string, ok bool) {
	if !strings.EqualFold(path.Ext(name), ".ipynb") || s.total < 0 {
		return "", false
	}
	var book struct {
		Cells []cell `json:"cells"`
	}
	if json.Unmarshal(s.head, &book) != nil || book.Cells == nil {
		return "", false
	}
	var text strings.Builder
	fmt.Fprintf(&text, "[%s is a notebook with %s. Edits apply to the notebook's JSON; to see it, give start_line and end_line]\n", name, messages.Counted(len(book.Cells), "cell"))
	for i, each := range book.Cells {
		count := ""
		if each.Count != nil {
			count = fmt.Sprintf(" [%d]", *each.Count)
		}
		fmt.Fprintf(&text, "--- cell %d: %s%s ---\n%s\n", i+1, each.Kind, count, strings.TrimRight(string(each.Source), "\n"))
		for _, out := range each.Outputs {
			text.WriteString(out.short())
		}
	}
	cut, _ := tools.ResultLimits.Cut(text.String())
	return cut, true
}

func (o output) short() string {
	said := string(o.Text)
	switch {
	case o.Error != "":
		said = o.Error + ": " + o.Value
	case o.Data != nil:
		var plain cellText
		if json.Unmarshal(o.Data["text/plain"], &plain) == nil {
			said = string(plain)
		}
		for kind, data := range o.Data {
			if strings.HasPrefix(kind, "image/") {
				said = fmt.Sprintf("%s [a picture, %s, %d bytes]", strings.TrimSpace(said), kind, len(data)*3/4)
			}
		}
	}
	if said = strings.TrimRight(said, "\n"); said == "" {
		return ""
	}
	short, _ := tools.Limits{Bytes: outputBytes, Lines: outputLines, LineBytes: 400}.Cut(said)
	return "→ " + strings.ReplaceAll(short, "\n", "\n  ") + "\n"
}
