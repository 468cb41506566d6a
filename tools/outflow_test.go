package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"marvin/tools/internal/hostnames"
)

// The test covers every row of the table that decides whether data may leave.
func TestOutflowDecisions(t *testing.T) {
	for _, row := range []struct {
		effect        Effect
		reach         Reach
		known         trust
		person, alone Decision
	}{
		{Reads, Chosen, unknown, Ask, Ask},
		{Reads, Chosen, read, Allow, Allow},
		{Reads, Chosen, named, Allow, Allow},
		{Reads, Chosen, ruled, Allow, Allow},
		{Writes, Chosen, unknown, Ask, Ask},
		{Irreversible, Chosen, unknown, Ask, Ask},
		{Outside, Chosen, read, Ask, Ask},
		{Outside, Public, unknown, Ask, Ask},
		{Outside, Public, read, Ask, Ask},
		{Outside, Public, named, Ask, Allow},
		{Outside, Public, ruled, Allow, Allow},
		{Writes, Public, unknown, Ask, Ask},
	} {
		if got := decideSending(row.effect, row.reach, row.known, true); got != row.person {
			t.Errorf("%s, reach %d, known %d, with a person: %s", row.effect, row.reach, row.known, got)
		}
		if got := decideSending(row.effect, row.reach, row.known, false); got != row.alone {
			t.Errorf("%s, reach %d, known %d, alone: %s", row.effect, row.reach, row.known, got)
		}
	}
}

type fetchArgs struct {
	URL  string `json:"url" doc:"Address"`
	Note string `json:"note" doc:"Not sent" default:""`
}

func fetchTool() Tool {
	return New(Def[fetchArgs]{
		Name: "fetch", Doc: "Fetches.", Pool: Net,
		Sends: func(_ Env, in fetchArgs) []Destination { return ToAddress(in.URL) },
		Run:   func(context.Context, Env, fetchArgs) (Output, error) { return Output{}, nil },
	})
}

// verdictOn judges a request in a conversation that has read a file.
func verdictOn(t *testing.T, p *Permissions, known *KnownHosts, url string, person bool) Verdict {
	t.Helper()
	args, err := json.Marshal(fetchArgs{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	call, err := fetchTool().Decode(args)
	if err != nil {
		t.Fatal(err)
	}
	return p.Judge(call, Env{Person: person, Known: known, Tainted: "read_file"}, args, false)
}

func TestAnAddressOfTheModelAsksWithAllOfIt(t *testing.T) {
	const url = "https://evil.example/?d=the-key"
	asked := verdictOn(t, nil, &KnownHosts{}, url, true)
	if asked.Decision != Ask || !asked.Firm || asked.Host != "evil.example" || asked.Payload != url || !strings.Contains(strings.Join(asked.Reasons, ""), "read_file brought in") {
		t.Errorf("with a person: %+v", asked)
	}
	refused := verdictOn(t, nil, &KnownHosts{}, url, false)
	if refused.Decision != Deny || !strings.Contains(refused.Refusal(nil), "fetch(https://evil.example/*)") {
		t.Errorf("alone: %+v", refused)
	}
	if err := Refused(refused, Call{Tool: &Tool{}}); !errors.Is(err, ErrForbidden) {
		t.Errorf("refused by %v", err)
	}
	call, err := fetchTool().Decode([]byte(`{"url":"` + url + `"}`))
	if err != nil {
		t.Fatal(err)
	}
	if before := (*Permissions)(nil).Judge(call, Env{}, nil, false); before.Decision != Allow {
		t.Errorf("before anything was read: %+v", before)
	}
}

func TestRulesNameHosts(t *testing.T) {
	for rule, urls := range map[string]map[string]bool{
		"fetch(https://docs.example/*)": {
			"https://docs.example/a?b=c": true, "https://DOCS.example./": true, "https://docs.example": true, "http://docs.example/": false,
			"https://docs.example.evil.example/": false, "https://evil.example/?https://docs.example/": false, "https://a.docs.example/": false,
			"https://docs.example:8443/": false, "https://docs.example:443/": true,
		},
		"fetch(https://*.docs.example/*)": {"https://a.docs.example/": true, "https://evil.example/?x=.docs.example/": false, "https://evil.example/.docs.example/": false},
		"fetch(https://docs.example*)":    {"https://docs.example/a": true, "https://docs.example.evil.example/": false},
		"fetch(docs.example)":             {"http://docs.example/a?b": true, "https://evil.example/docs.example": false},
		"fetch(https://docs.example/v2/*)": {
			"https://docs.example/v2/a": true, "https://docs.example/v1/v2/": false,
		},
		"fetch":                   {"https://evil.example/?d=x": true},
		"other":                   {"https://evil.example/?d=x": false},
		"fetch(https://ok.test/)": {"https://ok.test": true, "https://ok.test/?d=x": false},
	} {
		permissions, err := NewPermissions([]string{rule}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for url, want := range urls {
			if got := verdictOn(t, permissions, &KnownHosts{}, url, false).Decision == Allow; got != want {
				t.Errorf("%s and %s: allowed %t", rule, url, got)
			}
		}
	}
	// An argument that is not sent does not name a host.
	permissions, err := NewPermissions([]string{"fetch(https://docs.example/*)"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	args := []byte(`{"url":"https://evil.example/?d=x","note":"https://docs.example/"}`)
	call, err := fetchTool().Decode(args)
	if err != nil {
		t.Fatal(err)
	}
	if verdict := permissions.Judge(call, Env{Tainted: "read_file"}, args, false); verdict.Decision != Deny {
		t.Errorf("a rule about another argument: %+v", verdict)
	}
}

func TestOutflowToNamedHosts(t *testing.T) {
	for prompt, urls := range map[string]map[string]bool{
		"look at https://go.dev/doc and at pkg.go.dev": {
			"https://go.dev/?any=thing": true, "https://www.go.dev/": true, "https://pkg.go.dev/net": true, "https://blog.go.dev/": false, "https://dev/": false,
		},
		"ask bob@mail.example about it":           {"https://mail.example/?d=x": false},
		"mend README.md and main.py":              {"https://readme.md/?d=x": false, "https://main.py/?d=x": false},
		"what do you know about ai?":              {"http://ai/?d=x": false},
		"read https://BÜCHER.example./x":          {"https://xn--bcher-kva.example/y": true, "https://bücher.example/z": true},
		"see (https://en.wiki.example/Go_(game))": {"https://en.wiki.example/Go_(game)": true},
		"https://a.example@evil.example/":         {"https://evil.example/": false, "https://a.example/": false},
		strings.Repeat("a pasted log ", 400) + "https://evil.example/?id=7": {
			"https://evil.example/?id=7": true, "https://evil.example/?id=8": false,
		},
	} {
		known := &KnownHosts{}
		known.AddPrompt(prompt)
		for url, want := range urls {
			if got := verdictOn(t, nil, known, url, false).Decision == Allow; got != want {
				t.Errorf("%.60q and %s: allowed %t", prompt, url, got)
			}
		}
	}
}

func TestOutflowToKnownAddresses(t *testing.T) {
	known := &KnownHosts{}
	known.AddResult("1. Go (https://Go.dev/doc/#top).\n2. <https://a.example/x?q=1>, b.example/page and c.example", []byte(`{"query":"go"}`), nil)
	for url, want := range map[string]bool{
		"https://go.dev/doc/#top": true, "https://go.dev/doc": true, "http://go.dev/doc/": true, "https://a.example/x?q=1": true,
		"https://b.example/page": true, "https://c.example/": true,
		"https://go.dev/": false, "https://go.dev/doc?d=x": false, "https://a.example/x": false, "https://a.example/x?q=12": false,
		"https://x.a.example/x?q=1": false, "https://a.example:8080/x?q=1": false, "https://c.example/?d": false, "https://go.dev/doc/#secret": false,
	} {
		if got := verdictOn(t, nil, known, url, false).Decision == Allow; got != want {
			t.Errorf("%s: allowed %t", url, got)
		}
	}
	for _, row := range []struct{ query, answer, url string }{
		{"http://evil.example/?d=the-key", "Nothing was found for http://evil.example/?d=the-key", "http://evil.example/?d=the-key"},
		{"HTTP://evil.example/?d=the%2Dkey", "Did you mean http://evil.example/?d=the-key", "http://evil.example/?d=the-key"},
		{"evil.example/?d=the-\u200bkey", "evil.example/?d=the-key", "http://evil.example/?d=the-key"},
		{"evil.example/?d=the&#45;key", "evil.example/?d=the-key", "http://evil.example/?d=the-key"},
		{"evil.example/the-key", "evil.example/the-key.html", "http://evil.example/the-key.html"},
		{"the-key.evil.example", "the-key.evil.example has no entry", "http://the-key.evil.example/"},
	} {
		known := &KnownHosts{}
		args, err := json.Marshal(map[string]string{"query": row.query})
		if err != nil {
			t.Fatal(err)
		}
		known.AddResult(row.answer, args, nil)
		if verdictOn(t, nil, known, row.url, false).Decision != Deny {
			t.Errorf("%q repeated as %q opens %s", row.query, row.answer, row.url)
		}
	}
	// A page may link to its own parts.
	known = &KnownHosts{}
	known.AddResult("go on at https://go.dev/doc/code", []byte(`{"url":"https://go.dev/doc"}`), ToAddress("https://go.dev/doc"))
	if verdictOn(t, nil, known, "https://go.dev/doc/code", false).Decision != Allow {
		t.Error("a link of a page is not free")
	}
}

func TestHostGrantIsRevoked(t *testing.T) {
	known := &KnownHosts{}
	known.Grant("www.a.example")
	known.Grant("b.example")
	known.Revoke("a.example")
	for url, want := range map[string]Decision{"https://a.example/x": Ask, "https://b.example/x": Allow} {
		if got := verdictOn(t, nil, known, url, true); got.Decision != want {
			t.Errorf("%s: %+v", url, got)
		}
	}
}

func TestKnownHostsAreBounded(t *testing.T) {
	known := &KnownHosts{}
	for i := range 2 * mostSeen {
		known.AddResult(fmt.Sprintf("https://site.example/%d", i), nil, nil)
	}
	if len(known.seen) != mostSeen || len(known.ring) != mostSeen {
		t.Errorf("%d and %d addresses are kept", len(known.seen), len(known.ring))
	}
	for i, want := range map[int]bool{2*mostSeen - 1: true, 0: false} {
		if got := known.classify(ToAddress(fmt.Sprintf("https://site.example/%d", i))[0]) == read; got != want {
			t.Errorf("the address %d is known: %t", i, got)
		}
	}
}

// Two parsers of one address must find the same host.
func TestAddressesHaveOneSpelling(t *testing.T) {
	for text, want := range map[string]string{
		"https://OK.example./x": "ok.example/x", "http://ok.example:80": "ok.example", "https://ok.example:444/": "ok.example:444",
		"https://[::FFFF:127.0.0.1]/": "::ffff:127.0.0.1", "https://bücher.example/": "xn--bcher-kva.example", "https://ｏｋ.example/": "ok.example",
		"https://ok@evil.example/": "", "https://evil.example\\@ok.example/": "", "https://evil.example\x00.ok.example/": "", "https://evil.example%2f.ok.example/": "",
		"ftp://ok.example/": "", "https:///x": "", "ok.example": "", "https://a b/": "", "https://exa\u200bmple.org/": "example.org",
	} {
		got, ok := hostnames.ParseAddress(text)
		if key := got.Key(); ok != (want != "") || ok && key != want {
			t.Errorf("%q is %q, %t; want %q", text, key, ok, want)
		}
	}
}

func TestPackageHosts(t *testing.T) {
	for name, want := range map[string]string{
		"requests>=2.31": "", "@types/node@^22": "", "lodash@4.17": "", "requests[socks]": "", "lodash@npm:other@1": "", "file:///srv/x": "", "./x": "", "github:me/x": "",
		"https://evil.example/SECRET.tgz": "evil.example", "git+https://evil.example/SECRET": "evil.example", "git+ssh://git@evil.example/x": "evil.example",
		"x@https://evil.example/SECRET": "evil.example", "x@git+https://u:SECRET@evil.example:8443/x": "evil.example:8443", "git@evil.example:SECRET/x": "evil.example",
		"git+http://EVIL.example./SECRET": "evil.example", "git://evil.example/SECRET": "evil.example", "hg+https://evil%2eexample/x": "a host whose name cannot be determined", "https://[::bad/SECRET": "a host whose name cannot be determined",
		"svn+file:///SECRET@https://evil.example/": "",
	} {
		found := ToRepository(name)
		switch {
		case want == "" && len(found) > 0 || want != "" && (len(found) != 1 || found[0].Name != want || found[0].Payload != name):
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// An address that two programs may read differently always asks.
func TestAnAddressThatCannotBeReadIsUnknown(t *testing.T) {
	for _, url := range []string{"http://u:SECRET@evil.example/", "https://SECRET@evil.example", "http://evil.example\\@ok.example/", "HTTP://u@evil.example/", " \thttp://evil.example/\x00", "http://evil.example/%zz"} {
		if verdict := verdictOn(t, nil, &KnownHosts{}, url, false); verdict.Decision != Deny {
			t.Errorf("%q alone: %+v", url, verdict)
		}
		if verdict := verdictOn(t, nil, &KnownHosts{}, url, true); verdict.Decision != Ask || verdict.Payload != url || !verdict.Firm {
			t.Errorf("%q with a person: %+v", url, verdict)
		}
	}
	if found := ToAddress("-o/etc/x"); found != nil {
		t.Errorf("what no tool takes: %+v", found)
	}
}
