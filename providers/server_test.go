package providers

import "testing"

func TestTheHostOfAProvider(t *testing.T) {
	for name, row := range map[string]struct {
		provider Provider
		variable string
		want     string
	}{
		"of the catalogue":           {Provider{Name: "one", BaseURL: "https://api.one.example/v1"}, "", "api.one.example"},
		"a port belongs to it":       {Provider{Name: "one", BaseURL: "http://localhost:8080/v1"}, "", "localhost:8080"},
		"of a variable":              {Provider{Name: "one", BaseURL: "https://api.one.example/v1", URLVar: "ONE_URL"}, "gate.example:9/v1", "gate.example:9"},
		"of a variable that is bad":  {Provider{Name: "one", BaseURL: "https://api.one.example/v1", URLVar: "ONE_URL"}, "ftp://x", "one"},
		"of a variable that is free": {Provider{Name: "one", BaseURL: "https://api.one.example/v1", URLVar: "ONE_URL"}, "", "api.one.example"},
		"nowhere":                    {Provider{Name: "built-in"}, "", "built-in"},
	} {
		if got := world(t, map[string]string{"ONE_URL": row.variable}, nil).Host(row.provider); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}
