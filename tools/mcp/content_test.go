package mcp

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/artifacts"
	"marvin/tools"
	"marvin/tools/mcp/mcptest"
)

// A picture from a server is shown. Other binary content is stored, and the result says where.
func TestBinaryServerContent(t *testing.T) {
	session := begun(t, played("well"), ground(t))
	env := tools.Env{Artifacts: artifacts.New(persistence.Open(t.TempDir(), time.Now), "one")}
	output, err := session.Call(t.Context(), env, "run_command", json.RawMessage(`{"text":"picture"}`))
	if err != nil || len(output.Pictures) != 1 || string(output.Pictures[0].Data) != mcptest.Dot || output.Pictures[0].Type != "image/gif" {
		t.Errorf("%+v, %v", output, err)
	}
	for _, want := range []string{
		"look\n[a picture: image/gif, 42 bytes]\n", "[a picture: image/png, 7 bytes]\n[application/octet-stream, 7 bytes: artifact:1; ", "[sound: audio/mpeg, 5 bytes]\n[audio/mpeg, 5 bytes: artifact:2; ",
		"[resource played://three: application/pdf, 9 bytes]\n[application/pdf, 9 bytes: artifact:3; ",
	} {
		if !strings.Contains(output.Text, want) {
			t.Errorf("no %q in %q", want, output.Text)
		}
	}
	for _, one := range env.Artifacts.List() {
		if !one.Foreign {
			t.Errorf("%+v is not strangers'", one)
		}
	}
}
