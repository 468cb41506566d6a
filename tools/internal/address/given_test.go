package address_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"marvin/tools/internal/address"
	"marvin/tools/internal/toolstest"
)

func TestSessionAddresses(t *testing.T) {
	none := toolstest.Env(t)
	for path, want := range map[string]string{"skill:deploy": "skills can be read only in a conversation", "mcp:office": "there is no MCP server here"} {
		if got := read(t, none, path); !strings.HasPrefix(got, "error: "+want) {
			t.Errorf("%s without a conversation: %q", path, got)
		}
	}
	env := toolstest.Env(t)
	env.Skill = func(name, file string) (string, error) {
		if name == "gone" {
			return "", errors.New("no skill is called gone")
		}
		return "skill " + name + " file " + file, nil
	}
	env.Resource = func(_ context.Context, server, uri string) (string, error) {
		if server == "gone" {
			return "", errors.New("no server is called gone")
		}
		return "server " + server + " resource " + uri, nil
	}
	for path, row := range map[string]struct {
		text    string
		foreign bool
	}{
		"skill:deploy":               {"skill deploy file ", false},
		"skill:deploy/more/a.md":     {"skill deploy file more/a.md", false},
		"skill: /deploy/ ":           {"skill deploy file ", false},
		"skill:gone":                 {"error: no skill is called gone", false},
		"mcp:office":                 {"server office resource ", true},
		"mcp:office/file:///a/b?c#d": {"server office resource file:///a/b?c#d", true},
		"mcp:gone/x":                 {"error: no server is called gone", false},
	} {
		if got := read(t, env, path); got != row.text {
			t.Errorf("%s: %q", path, got)
		}
		if at, _ := address.Parse(path); !strings.HasPrefix(row.text, "error: ") {
			source, err := at.Open(t.Context(), env)
			if err != nil || source.Foreign != row.foreign || source.Size != int64(len(row.text)) || source.Name != at.Text {
				t.Errorf("%s: %+v, %v", path, source, err)
			}
		}
	}
}
