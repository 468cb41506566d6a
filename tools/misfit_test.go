package tools_test

import (
	"context"
	"strings"
	"testing"

	"marvin/tools"
)

type misfitArgs struct {
	Line  int      `json:"line,omitempty" doc:"Line"`
	Whole bool     `json:"whole,omitempty" doc:"All of it"`
	Show  string   `json:"show,omitempty" doc:"What" enum:"lines,files"`
	Names []string `json:"names,omitempty" doc:"Names"`
	Edits []struct {
		Old string `json:"old" doc:"Old text"`
	} `json:"edits,omitempty" doc:"Edits"`
}

func TestArgumentsThatDoNotFitAreExplained(t *testing.T) {
	tool := tools.New(tools.Def[misfitArgs]{
		Name: "look", Doc: "Look.",
		Run: func(context.Context, tools.Env, misfitArgs) (tools.Output, error) {
			return tools.Output{Text: "done"}, nil
		},
	})
	for args, want := range map[string]string{
		`{"line":"abc"}`:                      `line must be a whole number, and not "abc"`,
		`{"line":1.5}`:                        `line must be a whole number, and not 1.5`,
		`{"line":""}`:                         `line must be a whole number, and not empty`,
		`{"line":{"a":1}}`:                    `line must be a whole number, and not an object`,
		`{"line":-99999999999999999999}`:      `line cannot be -100000000000000000000: that number is out of range`,
		`{"line":"5","show":"words"}`:         `show must be one of "lines", "files", and not "words"`,
		`{"line":5.0,"show":"words"}`:         `show must be one of "lines", "files", and not "words"`,
		`{"whole":"perhaps"}`:                 `whole must be true or false, and not "perhaps"`,
		`{"show":"words"}`:                    `show must be one of "lines", "files", and not "words"`,
		`{"names":["a",{"b":1}]}`:             `names, entry 2 must be text, and not an object`,
		`{"edits":[{"old":"a"},{"new":"a"}]}`: `edits, entry 2: old is missing`,
		`{"edits":[{"old":[]}]}`:              `edits, entry 1: old must be text, and not a list`,
	} {
		_, err := tool.Decode([]byte(args))
		if err == nil || !strings.HasPrefix(err.Error(), want+"\n") {
			t.Errorf("%s: %v", args, err)
		}
	}
}
