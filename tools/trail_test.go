package tools

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a prompt names, in each spelling that people use.
func TestWhatAPromptNames(t *testing.T) {
	for _, row := range []struct {
		prompt, hosts, logins string // that are named, and of which a login is
		not                   string // hosts that are not
	}{
		{"ask example.org", "example.org www.example.org", "example.org", "a.example.org"},
		{"ask www.Example.org.", "example.org www.example.org", "", "org"},
		{"see https://example.org/a?b#c", "example.org", "", "a"},
		{"fix main.py and README.md and x.zip", "", "main.py", "main.py readme.md x.zip"},
		{"see main.py/x", "main.py", "", ""},
		{"see https://main.py", "main.py", "", ""},
		{"mail me@example.org", "", "me@example.org me@EXAMPLE.org", "example.org"},
		{"`deploy@box:/srv`, please", "", "deploy@box box", "box"},
		{"is (10.1.2.3) up?", "10.1.2.3", "10.1.2.3", "10.1.2.4"},
		{"is 10.1.2.3:8080 up?", "10.1.2.3", "10.1.2.3", ""},
		{"and [::1]!", "", "", "::2"},
		{"Say to the-team and my_topic", "", "the-team my_topic THE-TEAM", "team"},
	} {
		trail := &Trail{}
		trail.Say(row.prompt)
		for _, host := range strings.Fields(row.hosts) {
			if trail.knows(Destination{Reach: Chosen, Name: host}) != named {
				t.Errorf("%s: %s is not named", row.prompt, host)
			}
		}
		for _, host := range strings.Fields(row.not) {
			if got := trail.knows(Destination{Reach: Chosen, Name: host}); got != unknown {
				t.Errorf("%s: %s is %d", row.prompt, host, got)
			}
		}
		for _, login := range strings.Fields(row.logins) {
			if !trail.said(login) {
				t.Errorf("%s: it does not say %s", row.prompt, login)
			}
		}
		if trail.said("") || trail.said("other") || trail.said("me@other") {
			t.Errorf("%s: it says what it does not", row.prompt)
		}
	}
	trail := &Trail{}
	trail.Say("tell The-Team")
	for name, want := range map[string]known{"the-team": named, "THE-team": named, "team": unknown} {
		if got := trail.knows(Destination{Reach: Public, Name: name}); got != want {
			t.Errorf("%s is %d", name, got)
		}
	}
	trail.Grant("www.granted.example")
	trail.Revoke("")
	if trail.knows(Destination{Name: "granted.example"}) != named {
		t.Error("what was granted is not")
	}
	trail.Revoke("www.granted.example")
	if trail.knows(Destination{Name: "granted.example"}) != unknown {
		t.Error("what was taken back is granted")
	}
	var nobody *Trail
	nobody.Grant("x")
	nobody.Revoke("x")
	nobody.Hear("https://a.example", nil, nil)
}

// Addresses that the network gave, apart from those that a service only repeats.
func TestWhatAServiceRepeatsOpensNothing(t *testing.T) {
	const asked = "https://evil.example/?d=secret"
	for _, row := range []struct {
		what, args, text string
		to               []Destination
		address          string
		want             known
	}{
		{"a result", `{"query":"lions"}`, "see https://zoo.example/lions.", nil, "https://zoo.example/lions", read},
		{"without http", `{"query":"lions"}`, "see zoo.example/lions", nil, "https://zoo.example/lions", read},
		{"without its part", `{}`, "see https://zoo.example/lions#tail", nil, "https://zoo.example/lions", read},
		{"the other way", `{}`, "see https://zoo.example/lions", nil, "https://zoo.example/lions#tail", unknown},
		{"what was asked", `{"query":"` + asked + `"}`, "You asked for " + asked, nil, asked, unknown},
		{"in other words", `{"query":"` + asked + `"}`, "You asked for HTTPS://EVIL.example/?d=SECRET", nil, "https://evil.example/?d=SECRET", unknown},
		{"with more behind it", `{"query":"` + asked + `"}`, "see " + asked + "&utm=1", nil, asked + "&utm=1", unknown},
		{"with escapes", `{"query":"https://evil.example/?d=a b"}`, "see https://evil.example/?d=a%20b", nil, "https://evil.example/?d=a%20b", unknown},
		{"as HTML", `{"query":"https://evil.example/?a=1&b=2"}`, "see https://evil.example/?a=1&amp;b=2", nil, "https://evil.example/?a=1&amp;b=2", unknown},
		{"in a list", `{"urls":["` + asked + `"]}`, "see " + asked, nil, asked, unknown},
		{"a host alone", `{"query":"https://evil.example/"}`, "see https://evil.example/other", nil, "https://evil.example/other", read},
		{"a page of its own", `{"url":"https://zoo.example/a"}`, "see https://zoo.example/a/b", ToAddress("https://zoo.example/a"), "https://zoo.example/a/b", read},
		{"a page of another", `{"url":"https://zoo.example/a","note":"https://zoo.example/c"}`, "see https://zoo.example/c/d", ToAddress("https://zoo.example/a"), "https://zoo.example/c/d", unknown},
		{"no addresses", `{"query":"lions"}`, "lions are large", nil, "https://zoo.example", unknown},
	} {
		trail := &Trail{}
		trail.Hear(row.text, json.RawMessage(row.args), row.to)
		to := Destination{Reach: Chosen, Name: "x", Address: row.address}
		if got := trail.knows(to); got != row.want {
			t.Errorf("%s: %d, want %d", row.what, got, row.want)
		}
		if to.More = true; trail.knows(to) != unknown {
			t.Errorf("%s: with more than the address it is known", row.what)
		}
	}
}

// Each place in a text that may be an address, in the spellings in which it is looked at.
func TestAddressesInAText(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"no address. none":                    "",
		"see https://a.example/b.":            "a.example/b. a.example/b",
		"(https://a.example/b)":               "a.example/b) a.example/b",
		"HTTP://A.example":                    "a.example",
		"a.example and b.example/c?d":         "a.example~ b.example/c?d~",
		"me@a.example":                        "",
		"a.example:8080/x, http://a.example":  "a.example:8080/x,~ a.example:8080/x~ a.example",
		"http://a.example http://a.example":   "a.example",
		"https://u:p@a.example/":              "",
		"v1.2 and 1.2.3 and e.g. this":        "",
		"https://a.example/x#y":               "a.example/x#y",
		"<a href=\"https://a.example/x\">b</": "a.example/x",
	} {
		var got []string
		for _, one := range findAddresses(text) {
			spelt := one.host + one.rest
			if one.bare {
				spelt += "~"
			}
			got = append(got, spelt)
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%q: %s, want %s", text, all, want)
		}
	}
	if got := len(findAddresses(strings.Repeat("a.example b.example ", most/2+1))); got != most {
		t.Errorf("%d addresses are looked at", got)
	}
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST.": true, "a.localhost": true, "localhost:8080": true, "127.1.2.3": true, "127.0.0.1:80": true, "[::1]": true, "[::1]:80": true, "::1": true, "::1:50051": true, "::1:80": false,
		"0.0.0.0": true, "0.0.0.0:80": true, "[::ffff:127.0.0.1]": true, "example.org": false, "10.0.0.1": false, "10.0.0.1:80": false, "mylocalhost": false, "localhost.example": false, "[::2]:1": false,
	} {
		if local(host) != want {
			t.Errorf("%s is this machine: %v", host, !want)
		}
	}
	for _, row := range []struct{ address, scheme string }{{"http://a.example", "http"}, {"https://a.example", "https"}, {"", "ssh"}, {"ftp://a.example", "ssh"}} {
		if got := (Destination{Address: row.address}).scheme(); got != row.scheme {
			t.Errorf("%s goes by %s", row.address, got)
		}
	}
	if to := Nowhere(Env{}, 1); to != nil {
		t.Errorf("nowhere is %v", to)
	}
}
