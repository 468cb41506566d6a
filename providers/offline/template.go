package offline

import (
	"encoding/json"
	"slices"
	"strings"

	"marvin/messages/lists"
)

// template is an example request for a tool, divided into words and slots.
type template struct {
	tool  Tool
	shape schema
	name  []string // the words of the tool's name
	items []item
	full  float64 // the score of a perfect match
}

// item is either a word of an example or a slot for the value of a parameter.
type item struct {
	word   string  // the folded word; "" for a slot
	weight float64 // how much the word says about the intended tool
	slot   slot
}

type schema struct {
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
}

// lacking returns the required parameters that have no value.
func (s schema) lacking(values map[string]any) []string {
	return lists.Filter(s.Required, func(name string) bool { return !holds(values, name) })
}

func holds(values map[string]any, name string) bool {
	_, ok := values[name]
	return ok
}

type property struct {
	Type        string `json:"type"`
	Enum        []any  `json:"enum"`
	Description string `json:"description"`
}

const (
	littleWeight = 0.15
	markWeight   = 0.05
	slotWeight   = 0.4
)

// templates returns one template for each tool's name and one for each example of a tool. The name
// "git_status" becomes "git status".
func templates(found []Tool) []template {
	var list []template
	for _, tool := range found {
		var shape schema
		if json.Unmarshal(tool.Schema, &shape) != nil {
			continue // a tool without a readable schema cannot be called safely
		}
		list = append(list, parseTemplate(tool, shape, strings.ReplaceAll(tool.Name, "_", " ")))
		for _, example := range tool.Examples {
			list = append(list, parseTemplate(tool, shape, example))
		}
	}
	common := commonness(list)
	for i := range list {
		list[i].weigh(common)
	}
	return list
}

func parseTemplate(tool Tool, shape schema, example string) template {
	t := template{tool: tool, shape: shape, name: strings.Split(tool.Name, "_")}
	for rest := example; ; {
		words, slotText, found := strings.Cut(rest, "{")
		for _, token := range split(strings.NewReplacer(`"`, " ", "`", " ", " '", " ", "' ", " ").Replace(words)) {
			t.items = append(t.items, item{word: token.folded})
		}
		if !found {
			return t
		}
		slotText, rest, _ = strings.Cut(slotText, "}")
		sample, name, _ := strings.Cut(slotText, "|")
		s := newSlot(name, sample, shape)
		if tool.Writes && s.kind == freeText && s.words == 1 {
			s.kind = oneWord // do not accept prose for a tool that writes
		}
		t.items = append(t.items, item{slot: s})
	}
}

// commonness returns, for each word of the templates, the number of tools that use the word.
func commonness(list []template) map[string]int {
	seen := map[string]map[string]bool{}
	for _, t := range list {
		for _, item := range t.items {
			if seen[item.word] == nil {
				seen[item.word] = map[string]bool{}
			}
			seen[item.word][t.tool.Name] = true
		}
	}
	counts := make(map[string]int, len(seen))
	for word, tools := range seen {
		counts[word] = len(tools)
	}
	return counts
}

func (t *template) weigh(common map[string]int) {
	for i := range t.items {
		item := &t.items[i]
		switch {
		case item.word == "" && item.slot.kind == implied:
			item.weight = 0
		case item.word == "":
			item.weight = slotWeight
		case strings.Trim(item.word, marks) == "":
			item.weight = markWeight
		case littleWords()[item.word]:
			item.weight = littleWeight
		default:
			// A word that many tools share, such as "show", says little about the tool. A word that
			// only one tool has, such as "commits", says much.
			item.weight = max(1.15-0.15*float64(common[item.word]), 0.4)
		}
		t.full += item.weight
	}
}

func (t *template) optional(name string) bool { return !slices.Contains(t.shape.Required, name) }
