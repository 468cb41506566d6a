package settings

import "testing"

func TestServerApprovalIsBoundToCommand(t *testing.T) {
	base := Server{Command: []string{"server", "--read"}, Env: map[string]string{"TOKEN": "$TOKEN"}}
	others := map[string]Server{
		"command":           {Command: []string{"other", "--read"}, Env: base.Env},
		"argument":          {Command: []string{"server", "--write"}, Env: base.Env},
		"arguments in one":  {Command: []string{"server --read"}, Env: base.Env},
		"another variable":  {Command: base.Command, Env: map[string]string{"KEY": "$TOKEN"}},
		"one variable more": {Command: base.Command, Env: map[string]string{"TOKEN": "$TOKEN", "LD_PRELOAD": "x.so"}},
		"address":           {URL: "https://example.com/mcp", Env: base.Env},
		"another address":   {URL: "https://example.org/mcp", Env: base.Env},
	}
	seen, whole := map[string]string{base.Hash(): "base"}, map[string]string{base.WholeHash(): "base"}
	for name, other := range others {
		if same := seen[other.Hash()]; same != "" {
			t.Errorf("%s: it is the same entry as %s", name, same)
		}
		if same := whole[other.WholeHash()]; same != "" {
			t.Errorf("%s: it is the same offer as %s", name, same)
		}
		seen[other.Hash()], whole[other.WholeHash()] = name, name
	}
	value := Server{Command: base.Command, Env: map[string]string{"TOKEN": "${SECRET_OF_THE_USER}"}}
	if base.Hash() != value.Hash() || base.WholeHash() == value.WholeHash() {
		t.Error("the value of a variable is the user's own matter in config.yaml, and binds in a project's file")
	}
}
