package messages_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"marvin/messages"
)

// everyOp has one op of each type, with every field set.
var everyOp = []messages.Op{
	messages.Prompt{Text: "go <on> & \"on\"\n", Provider: "copilot", Model: "gpt", Steer: true, Pictures: []messages.Picture{{Type: "image/png", Data: []byte{1}, Path: "/a.png"}}},
	messages.Cancel{Turn: "t1", Request: "r0"},
	messages.Answer{Ask: "c2", Choice: messages.No, Text: "use find"},
	messages.Answer{Ask: "c3", Choice: messages.Yes, Chosen: []messages.Chosen{{Options: []string{"sqlite", "files"}}, {Text: "as you like"}}},
	messages.Answer{Ask: "c4", Choice: messages.Yes, Values: map[string]any{"name": "alex", "size": 1.5, "loud": true}},
	messages.Answer{Ask: "c5", Choice: messages.Yes, Mode: messages.ApproveAsk},
	messages.Attend{Ask: "c3"},
	messages.ListGrants{},
	messages.ShowContext{},
	messages.ShowNeeds{},
	messages.ListSent{},
	messages.Revoke{Grant: 3},
	messages.SetDir{Path: "/p"},
	messages.SetMode{Coding: true},
	messages.SetApproval{Mode: messages.ApproveAuto},
	messages.SetModel{Provider: "groq", Model: "llama"},
	messages.SetProfile{Name: "alex"},
	messages.Compact{Focus: "the failing test"},
	messages.Clear{},
	messages.Rename{Title: "The release"},
	messages.Undo{Turn: "t3", Path: "a/b.go", Redo: true},
	messages.ListChanges{},
	messages.TakeBack{Path: "/p/a.go", Hunk: 2, Seen: "0a1b"},
	messages.Resume{ID: "20261120-110000-abcdef"},
	messages.Fork{ID: "20261120-110000-abcdef"},
	messages.ListTree{},
	messages.ListArtifacts{},
	messages.Background{Call: "call_t1_1"},
	messages.VisitAgent{Call: "call_t1_1", Agent: 2, Stop: true, More: true},
	messages.Branch{Entry: 12},
	messages.Label{Text: "works", Entry: 12},
	messages.Rewind{Prompts: 2, Again: true},
	messages.SideQuestion{Text: "what is a monad?"},
	messages.Handoff{Focus: "the parser"},
	messages.Quit{},
}

// The golden file is the published form of ops. A line that changes its meaning
// needs a new WireVersion.
func TestWireFormOfOps(t *testing.T) {
	var lines strings.Builder
	for _, op := range everyOp {
		encoded, err := messages.Request{ID: "r1", Op: op}.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(encoded)
		lines.WriteByte('\n')
		var back messages.Request
		if err := json.Unmarshal(encoded, &back); err != nil || back.ID != "r1" || !reflect.DeepEqual(back.Op, op) {
			t.Errorf("%s comes back as %+v, %v", encoded, back, err)
		}
	}
	isGolden(t, "ops.golden.jsonl", lines.String())
}

func TestEveryOpIsInTheGoldenFile(t *testing.T) {
	if declared := methods(t, "op.go", "opName"); declared != kinds(everyOp) || declared != len(messages.OpNames()) {
		t.Errorf("%d ops are declared, %d are in the golden file, %d have names", declared, kinds(everyOp), len(messages.OpNames()))
	}
}

func TestOpsFromElsewhere(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"quit"}`:                                               "",
		`{"v":1,"type":"cancel","op":null}`:                             "",
		`{"type":"quit","later":true}`:                                  "", // new fields may be added around the op
		`{"v":2,"type":"quit"}`:                                         "version 2 is unknown; this Marvin speaks 1",
		`{}`:                                                            `"type" is missing; it is one of prompt, `,
		`{"type":"promt"}`:                                              `type "promt" is unknown; it must be one of prompt, `,
		`{"type":"prompt"}`:                                             "the field \"op\" of prompt: text is missing",
		`{"type":"prompt","op":{"txt":"x"}}`:                            `the field "op" of prompt: there is no field "txt"`,
		`{"type":"prompt","op":{"text":1}}`:                             "the field \"op\" of prompt: text holds a JSON number, not text",
		`{"type":"prompt","op":[]}`:                                     "the field \"op\" of prompt: it is a JSON array, not an object",
		`{"type":"set_dir","op":{"path":"../x"}}`:                       `the field "op" of set_dir: path "../x" is not absolute`,
		`{"type":"set_approval","op":{"mode":"yolo"}}`:                  `the field "op" of set_approval: mode "yolo" is unknown; choose one of plan, ask, edits, auto, all`,
		`{"type":"set_model","op":{}}`:                                  "the field \"op\" of set_model: provider, model or effort is missing",
		`{"type":"set_mode"}`:                                           "the field \"op\" of set_mode: coding is missing",
		`{"type":"set_mode","op":{}}`:                                   "the field \"op\" of set_mode: coding is missing",
		`{"type":"set_mode","op":{"coding":null}}`:                      "the field \"op\" of set_mode: coding is missing",
		`{"type":"set_mode","op":{"coding":false}}`:                     "",
		`{"type":"revoke","op":{}}`:                                     "the field \"op\" of revoke: \"grant\" is missing",
		`{"type":"answer","op":{"ask":"c1","choice":"yes","text":"x"}}`: "its choice must be no",
		`{"type":"set_profile"}`:                                        "the field \"op\" of set_profile: name is missing",
		`{"type":"answer","op":{"choice":"yes"}}`:                       "the field \"op\" of answer: ask is missing",
		`{"type":"answer","op":{"ask":"c1","choice":"sure"}}`:           `the field "op" of answer: choice "sure" is unknown; it must be one of yes, always, no`,
		`{"type":"answer","op":{"ask":"c1"}}`:                           `the field "op" of answer: choice "" is unknown`,
		`{"id":"7","type":"answer","op":{"ask":"c1"},"v":"one"}`:        "cannot unmarshal string",
	} {
		var request messages.Request
		err := json.Unmarshal([]byte(line), &request)
		switch {
		case want == "" && (err != nil || request.Op == nil):
			t.Errorf("%s: %v", line, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || request.Op != nil):
			t.Errorf("%s: op %v, %v; want %q", line, request.Op, err, want)
		}
	}
}

func TestAWrongRequestKeepsItsID(t *testing.T) {
	var request messages.Request
	if err := json.Unmarshal([]byte(`{"id":"r9","type":"promt"}`), &request); err == nil || request.ID != "r9" {
		t.Errorf("%q, %v", request.ID, err)
	}
}
