package asking

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"marvin/messages"
)

// Sheet is a form to fill in.
type Sheet struct {
	Pages []Page
	At    int // index of the open page
	asked messages.Asked
}

// About returns [messages.Asked.Detail], or "" if that text only repeats the questions.
func (s *Sheet) About() string {
	if len(s.asked.Questions) > 0 && s.asked.Detail == messages.TextOf(s.asked.Questions) {
		return ""
	}
	return s.asked.Detail
}

// Page is one page of a [Sheet]. It contains one question or one field, and the user's answer.
type Page struct {
	Text    string
	Doc     string
	Options []messages.Option
	Several bool
	Free    bool   // the page accepts free text
	Stated  string // the default as text; "" for none
	Marked  []bool // whether each option is marked
	Own     string

	field messages.Field
}

// New returns the sheet for a choice or a form. If the question is of another kind or has no pages,
// New returns nil.
func New(asked messages.Asked) *Sheet {
	sheet := &Sheet{asked: asked}
	for _, question := range asked.Questions {
		sheet.Pages = append(sheet.Pages, Page{
			Text: question.Text, Options: question.Options, Several: question.Several, Free: question.Free || len(question.Options) == 0, Stated: question.Stated().String(),
			Marked: make([]bool, len(question.Options)),
		})
	}
	for _, field := range asked.Fields {
		sheet.Pages = append(sheet.Pages, pageOf(field))
	}
	if len(sheet.Pages) == 0 || asked.Kind != messages.AskChoice && asked.Kind != messages.AskForm {
		return nil
	}
	return sheet
}

func pageOf(field messages.Field) Page {
	page := Page{Text: field.Title, Doc: field.Doc, field: field}
	page.Text = cmp.Or(page.Text, field.Name)
	if field.Default != nil {
		page.Stated = fmt.Sprint(field.Default)
	}
	switch field.Type {
	case messages.BooleanField:
		page.Options = []messages.Option{{Label: "yes"}, {Label: "no"}}
		if value, ok := field.Default.(bool); ok {
			page.Stated = map[bool]string{true: "yes", false: "no"}[value]
		}
	case messages.EnumField, messages.ChoicesField:
		page.Several = field.Type == messages.ChoicesField
		if list, ok := field.Default.([]any); ok {
			page.Stated = strings.Trim(fmt.Sprintln(list...), "\n")
		}
		for _, label := range field.Options {
			page.Options = append(page.Options, messages.Option{Label: label})
		}
	default:
		page.Free = true
	}
	page.Marked = make([]bool, len(page.Options))
	return page
}

// Page returns the open page.
func (s *Sheet) Page() *Page { return &s.Pages[s.At] }

// Toggle marks an option. If the option is already marked and the page allows several marks, Toggle
// removes the mark.
func (p *Page) Toggle(option int) {
	if option < 0 || option >= len(p.Options) {
		return
	}
	if !p.Several {
		clear(p.Marked)
		p.Own = ""
		p.Marked[option] = true
		return
	}
	p.Marked[option] = !p.Marked[option]
}

// Write stores a free-text answer. Blank text removes the free-text answer.
func (p *Page) Write(text string) error {
	text = strings.TrimSpace(text)
	if _, err := number(text); p.field.Type == messages.NumberField && text != "" && err != nil {
		return errors.New("that is not a number; write a number such as 3 or 2.5")
	}
	if !p.Several {
		clear(p.Marked)
	}
	p.Own = text
	return nil
}

func number(text string) (float64, error) {
	value, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", "."), 64)
	if err == nil && (math.IsNaN(value) || math.IsInf(value, 0)) {
		return 0, strconv.ErrRange
	}
	return value, err
}

// Take parses a line that the user typed, and stores the answer. The line contains option numbers,
// an option's label, or the user's own words. An empty line selects the default.
func (p *Page) Take(line string) error {
	line = strings.TrimSpace(line)
	if line == "" {
		clear(p.Marked)
		p.Own = ""
		return nil
	}
	if chosen := p.numbers(line); len(chosen) == 1 || len(chosen) > 1 && p.Several {
		clear(p.Marked)
		p.Own = ""
		for _, option := range chosen {
			p.Marked[option] = true
		}
		return nil
	}
	for i, option := range p.Options {
		if strings.EqualFold(option.Label, line) {
			clear(p.Marked)
			p.Own = ""
			p.Marked[i] = true
			return nil
		}
	}
	if !p.Free {
		return fmt.Errorf("choose a number from 1 to %d", len(p.Options))
	}
	clear(p.Marked)
	return p.Write(line)
}

// numbers returns the indexes of the options whose numbers the line lists. If the line contains
// anything else, numbers returns nil.
func (p *Page) numbers(line string) []int {
	var chosen []int
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
		position, err := strconv.Atoi(word)
		if err != nil || position < 1 || position > len(p.Options) {
			return nil
		}
		if !slices.Contains(chosen, position-1) {
			chosen = append(chosen, position-1)
		}
	}
	return chosen
}

// Answered reports whether the page contains an answer.
func (p *Page) Answered() bool { return p.Own != "" || slices.Contains(p.Marked, true) }

// CheckRequired returns an error if the page lacks a required answer.
func (p *Page) CheckRequired() error {
	if p.field.Required && p.field.Default == nil && !p.Answered() {
		return errors.New("this question needs an answer; choose an option, write your own answer, or close the question with Esc")
	}
	return nil
}

// Answer combines the answers of all pages. Skipped pages contribute no value, so their defaults
// apply.
func (s *Sheet) Answer() messages.Answer {
	answer := messages.Answer{Ask: s.asked.Ask, Choice: messages.Yes}
	for _, page := range s.Pages {
		if s.asked.Kind == messages.AskForm {
			if value := page.value(); value != nil {
				if answer.Values == nil {
					answer.Values = map[string]any{}
				}
				answer.Values[page.field.Name] = value
			}
			continue
		}
		chosen := messages.Chosen{Text: page.Own}
		for i, option := range page.Options {
			if page.Marked[i] {
				chosen.Options = append(chosen.Options, option.Label)
			}
		}
		answer.Chosen = append(answer.Chosen, chosen)
	}
	return answer
}

// value returns the user's answer to a form field, or nil for no answer.
func (p *Page) value() any {
	marked := slices.Index(p.Marked, true)
	switch {
	case p.field.Type == messages.ChoicesField && marked >= 0:
		var chosen []any
		for i, option := range p.Options {
			if p.Marked[i] {
				chosen = append(chosen, option.Label)
			}
		}
		return chosen
	case p.field.Type == messages.BooleanField && marked >= 0:
		return marked == 0
	case marked >= 0:
		return p.Options[marked].Label
	case p.Own == "":
		return nil
	case p.field.Type == messages.NumberField:
		if value, err := number(p.Own); err == nil {
			return value
		}
		return nil
	}
	return p.Own
}
