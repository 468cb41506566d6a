package command_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// dot is a picture of one pixel.
const dot = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x01D\x00;"

// paged is the input of the user's pager.
var paged string

func (d disk) Page(path string) error {
	content, err := os.ReadFile(path)
	paged = string(content)
	return err
}

func TestArtifactsCommand(t *testing.T) {
	whole := strings.Repeat("a line of a long output\n", 20_000)
	long := tools.New(tools.Def[struct{}]{Name: "long", Doc: "Bring much.", Needs: tools.Needs{Coding: true}, Core: true, Pool: tools.Local, Run: func(context.Context, tools.Env, struct{}) (tools.Output, error) {
		return tools.Output{Text: whole, Pictures: []messages.Picture{{Type: "image/gif", Data: []byte(dot)}}}, nil
	}})
	d := sit(t, modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "long"}), modeltest.Text("done")), long)
	take := func(line string) string {
		before := len(d.said)
		d.engine.Take(line)
		d.wait(func() bool { return len(d.said) > before || paged != "" })
		return strings.Join(d.said[before:], "\n")
	}
	if got := take("/artifacts"); !strings.Contains(got, "No output in this conversation") {
		t.Errorf("of none it says %q", got)
	}
	d.take("go")
	if got := take("/artifacts"); !strings.Contains(got, "  1. artifact:1  long") || !strings.Contains(got, "(20000 lines, 480 KB, ") {
		t.Errorf("it lists %q", got)
	}
	if got := take("/artifacts 3"); !strings.Contains(got, "no artifact 3") {
		t.Errorf("of another number it says %q", got)
	}
	if got := take("/artifacts 2"); !strings.HasPrefix(got, "artifact:2 (image/gif, 42 bytes) is in ") || !strings.HasSuffix(got, "2.gif") || paged != "" {
		t.Errorf("of binary content it says %q", got)
	}
	if got := take("/artifacts zwei"); !strings.Contains(got, "Usage: /artifacts lists") {
		t.Errorf("of a word it says %q", got)
	}
	if take("/artifacts artifact:1"); paged != whole {
		t.Errorf("the pager got %d bytes of %d", len(paged), len(whole))
	}
	for _, envelope := range d.tree.Seen {
		if told, ok := envelope.Event.(messages.Artifacts); ok && len(told.All) > 0 && (told.All[0].Tool != "long" || told.All[0].Size != int64(len(whole))) {
			t.Errorf("%+v", told.All[0])
		}
	}
}
