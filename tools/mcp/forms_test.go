package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/messages"
	"marvin/tools"
)

func TestTheFormThatAServerWants(t *testing.T) {
	many := func(count int) string {
		var names []string
		for n := range count {
			names = append(names, fmt.Sprintf(`"f%02d":{}`, n))
		}
		return `{"properties":{` + strings.Join(names, ",") + `}}`
	}
	for _, one := range []struct{ schema, want string }{
		{`{}`, ""},
		{`7`, ""},
		{
			`{"required":["z","y"],"properties":{"a":{"type":"integer","title":"A\u001b"},"z":{"type":"number","default":3},"y":{"type":"boolean","description":"Why"},"c":{"type":"object"},"b":{"enum":[1,"two"]}}}`,
			"z* number=3|y* boolean (Why)|a number A‹U+001B›|b enum[1 two]|c string",
		},
		{many(12), "f00 string|f01 string|f02 string|f03 string|f04 string|f05 string|f06 string|f07 string|f08 string|f09 string|f10 string|f11 string"},
		{many(13), "f00 string|f01 string|f02 string|f03 string|f04 string|f05 string|f06 string|f07 string|f08 string|f09 string|f10 string|f11 string"},
	} {
		var got []string
		for _, field := range formOf(json.RawMessage(one.schema)).fields {
			line := field.Name
			if field.Required {
				line += "*"
			}
			line += " " + string(field.Type)
			if field.Default != nil {
				line += fmt.Sprintf("=%v", field.Default)
			}
			if len(field.Options) > 0 {
				line += fmt.Sprint(field.Options)
			}
			if field.Title != "" {
				line += " " + field.Title
			}
			if field.Doc != "" {
				line += " (" + field.Doc + ")"
			}
			got = append(got, line)
		}
		if text := strings.Join(got, "|"); text != one.want {
			t.Errorf("%s: %s, want %s", one.schema, text, one.want)
		}
	}
	if form := formOf(make(chan int)); form.fields != nil {
		t.Errorf("what is no JSON: %+v", form.fields)
	}
}

// The user selects titles, and may keep the server's preset. The server receives its own values.
func TestChoicesOfAFormAreTheServersValues(t *testing.T) {
	form := formOf(json.RawMessage(`{"required":["days"],"properties":{
		"days":{"type":"array","items":{"enum":["mon","tue"]},"default":["tue"]},
		"size":{"oneOf":[{"const":1,"title":"Small"},{"const":2,"title":"Large"}],"default":2},
		"teams":{"type":"array","items":{"anyOf":[{"const":"t1","title":"Red"},{"const":"t2","title":"Blue"}]}},
		"tags":{"type":"array","items":{"type":"string"}}, "mode":{"enum":["a","b"],"enumNames":["Alpha","Beta"]}}}`))
	asked := messages.Asked{Kind: messages.AskForm, Choices: []messages.Choice{messages.Yes, messages.No}, Fields: form.fields}
	for entered, want := range map[string]string{
		`{}`: `{"days":["tue"],"size":2}`,
		`{"days":["mon","tue"],"size":"Small","teams":["Blue"],"tags":"x, y","mode":"Beta"}`: `{"days":["mon","tue"],"mode":"b","size":1,"tags":["x","y"],"teams":["t2"]}`,
	} {
		var values map[string]any
		if err := json.Unmarshal([]byte(entered), &values); err != nil {
			t.Fatal(err)
		}
		whole, err := asked.CompleteAnswer(messages.Answer{Choice: messages.Yes, Values: values})
		got, _ := json.Marshal(form.content(whole.Values))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", entered, got, err, want)
		}
	}
	if _, err := asked.CompleteAnswer(messages.Answer{Choice: messages.Yes, Values: map[string]any{"days": []any{"sun"}}}); err == nil {
		t.Error("a day that is none of the choices is taken")
	}
}

func TestForWhichCallAServerAsks(t *testing.T) {
	first, second := &activeCall{}, &activeCall{}
	s := &Session{}
	if s.askingCall() != nil {
		t.Error("without a call it asks")
	}
	s.running = map[string]*activeCall{"call-9": first, "call-10": second}
	for range mostAsked {
		if s.askingCall() != second {
			t.Error("it does not ask for the last call")
		}
	}
	if s.askingCall() != nil || second.asked != mostAsked || first.asked != 0 {
		t.Errorf("it asks more often: %d, %d", first.asked, second.asked)
	}
	delete(s.running, "call-10")
	if s.askingCall() != first {
		t.Error("for the call that is left it does not ask")
	}
}

func TestSampling(t *testing.T) {
	said := func(role sdk.Role, text string) *sdk.SamplingMessage {
		return &sdk.SamplingMessage{Role: role, Content: &sdk.TextContent{Text: text}}
	}
	for _, one := range []struct {
		params sdk.CreateMessageParams
		want   string
		wrong  string
	}{
		{sdk.CreateMessageParams{Messages: []*sdk.SamplingMessage{said("user", " Why? ")}}, "Why?", ""},
		{sdk.CreateMessageParams{SystemPrompt: "Be short.", Messages: []*sdk.SamplingMessage{said("user", "Why?")}}, "Be short.\n\nWhy?", ""},
		{sdk.CreateMessageParams{Messages: []*sdk.SamplingMessage{said("user", "Why?"), said("assistant", "So.")}}, "user: Why?\n\nassistant: So.", ""},
		{sdk.CreateMessageParams{Messages: []*sdk.SamplingMessage{said("user", strings.Repeat("x", longestSample))}}, strings.Repeat("x", longestSample), ""},
		{sdk.CreateMessageParams{Messages: []*sdk.SamplingMessage{said("user", strings.Repeat("x", longestSample+1))}}, "", "a server's request has 16001 bytes, more than the limit of 16000"},
		{sdk.CreateMessageParams{}, "", "nothing was asked"},
		{sdk.CreateMessageParams{Messages: []*sdk.SamplingMessage{said("user", " \n")}}, "", "nothing was asked"},
		{sdk.CreateMessageParams{Messages: []*sdk.SamplingMessage{said("user", "a"), {Role: "user", Content: &sdk.ImageContent{}}}}, "", "a server can send the model only text, not pictures or sound"},
	} {
		got, err := wordsOf(&one.params)
		if got != one.want || (err != nil) != (one.wrong != "") || err != nil && err.Error() != one.wrong {
			t.Errorf("%.60v: %.60q, %v", one.params, got, err)
		}
	}
}

// Each part of a reply becomes text, a picture or a stored file.
func TestThePartsOfAnAnswer(t *testing.T) {
	picture := func() *sdk.ImageContent {
		return &sdk.ImageContent{MIMEType: "image/gif", Data: []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x01D\x00;")}
	}
	for _, one := range []struct {
		content sdk.Content
		want    string
		shown   int
	}{
		{&sdk.TextContent{Text: "text"}, "text", 0},
		{&sdk.ResourceLink{URI: "x://1", Name: "one", Description: "The first"}, "[resource x://1] one The first", 0},
		{&sdk.ResourceLink{URI: "x://1"}, "[resource x://1]", 0},
		{&sdk.EmbeddedResource{}, "", 0},
		{&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x://1", Text: "inside"}}, resourceText(&sdk.ResourceContents{URI: "x://1", Text: "inside"}), 0},
		{&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x://1", MIMEType: "image/gif", Blob: picture().Data}}, "[a picture: image/gif, 42 bytes]", 1},
		{&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x://1", MIMEType: "image/gif", Text: "no picture"}}, resourceText(&sdk.ResourceContents{URI: "x://1", MIMEType: "image/gif", Text: "no picture"}), 0},
		{&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x://1", MIMEType: "a/b", Blob: []byte("\x00")}}, "[resource x://1: a/b, 1 bytes]|[application/octet-stream, 1 bytes, not shown]", 0},
		{picture(), "[a picture: image/gif, 42 bytes]", 1},
		{&sdk.ImageContent{MIMEType: "image/gif", Data: []byte("no")}, "[a picture: image/gif, 2 bytes]|[text/plain, 2 bytes, not shown]", 0},
		{&sdk.AudioContent{MIMEType: "audio/x", Data: []byte("\x00")}, "[sound: audio/x, 1 bytes]|[application/octet-stream, 1 bytes, not shown]", 0},
	} {
		c := contents{env: tools.Env{}, tool: "x"}
		c.take(one.content)
		if got := strings.Join(c.parts, "|"); got != one.want || len(c.pictures) != one.shown {
			t.Errorf("%T: %q, %d pictures; want %q", one.content, got, len(c.pictures), one.want)
		}
	}
	c := contents{tool: "x"}
	for range mostPictures + 1 {
		c.take(picture())
	}
	if len(c.pictures) != mostPictures || len(c.parts) != mostPictures+2 {
		t.Errorf("%d pictures are shown, %d parts", len(c.pictures), len(c.parts))
	}
}

// The arguments after the name of a prompt, and the help on how to type them.
func TestTheArgumentsOfAPrompt(t *testing.T) {
	prompt := Prompt{Name: "greet", Args: []PromptArg{{Name: "who", Required: true}, {Name: "how"}}}
	for words, want := range map[string]string{
		"": "greet wants who: who=… [how=…]", "how=x": "greet wants who: who=… [how=…]", "who=": "greet wants who: who=… [how=…]",
		"you": "map[who:you]", "a b": "map[who:a b]", "who=a b how=c d": "map[how:c d who:a b]", "other=x": "map[who:other=x]", "a how=": "map[how: who:a]", "who=a who=b": "map[who:b]",
	} {
		values, err := prompt.values(words)
		got := fmt.Sprint(values)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
	if values, err := (Prompt{Name: "plain"}).values(" "); err != nil || len(values) > 0 {
		t.Errorf("%v, %v", values, err)
	}
	if _, err := (Prompt{Name: "plain"}).values("x"); err == nil || err.Error() != "plain takes no arguments" {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]string{strings.Repeat("x", 500): strings.Repeat("x", 500), strings.Repeat("x", 501): strings.Repeat("x", 500), strings.Repeat("x", 499) + "ü": strings.Repeat("x", 499), "\x1b": "‹U+001B›"} {
		if got := clipped(text); got != want {
			t.Errorf("%.20q: %d bytes", text, len(got))
		}
	}
	for name, want := range map[string]bool{"a": true, "A9_.-": true, strings.Repeat("x", 64): true, strings.Repeat("x", 65): false, "-a": false, "": false, "a b": false, "a\n": false} {
		if typable().MatchString(name) != want {
			t.Errorf("%q can be typed: %v", name, !want)
		}
	}
}
