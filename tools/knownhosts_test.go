package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"marvin/tools/internal/hostnames"
)

func TestHostsNamedByPrompt(t *testing.T) {
	for _, row := range []struct {
		prompt, hosts, logins string // hosts named by the prompt, and hosts of its logins
		not                   string // hosts that the prompt does not name
	}{
		{"ask example.org", "example.org www.example.org", "example.org", "a.example.org"},
		{"ask www.Example.org.", "example.org www.example.org", "", "org"},
		{"see https://example.org/a?b#c", "example.org", "", "a"},
		{"fix main.py and README.md and x.zip", "", "", "main.py readme.md x.zip"},
		{"see main.py/x", "", "", "main.py"},
		{"see https://main.py", "main.py", "", ""},
		{"mail me@example.org", "", "me@example.org me@EXAMPLE.org", "example.org"},
		{"`deploy@box:/srv`, please", "", "deploy@box box", "box"},
		{"is (10.1.2.3) up?", "10.1.2.3", "10.1.2.3", "10.1.2.4"},
		{"is 10.1.2.3:8080 up?", "10.1.2.3", "10.1.2.3", ""},
		{"and [::1]!", "", "", "::2"},
		{"Say to the-team and my_topic", "", "the-team my_topic THE-TEAM", "team"},
	} {
		hosts := &KnownHosts{}
		hosts.AddPrompt(row.prompt)
		for _, host := range strings.Fields(row.hosts) {
			if hosts.classify(Destination{Reach: Chosen, Name: host}) != named {
				t.Errorf("%s: %s is not named", row.prompt, host)
			}
		}
		for _, host := range strings.Fields(row.not) {
			if got := hosts.classify(Destination{Reach: Chosen, Name: host}); got != unknown {
				t.Errorf("%s: %s is %d", row.prompt, host, got)
			}
		}
		for _, login := range strings.Fields(row.logins) {
			if !hosts.wasTyped(login) {
				t.Errorf("%s: it does not say %s", row.prompt, login)
			}
		}
		if hosts.wasTyped("") || hosts.wasTyped("other") || hosts.wasTyped("me@other") {
			t.Errorf("%s: it says what it does not", row.prompt)
		}
	}
	hosts := &KnownHosts{}
	hosts.AddPrompt("tell The-Team")
	for name, want := range map[string]trust{"the-team": named, "THE-team": named, "team": unknown} {
		if got := hosts.classify(Destination{Reach: Public, Name: name}); got != want {
			t.Errorf("%s is %d", name, got)
		}
	}
	hosts.Grant("www.granted.example")
	hosts.Revoke("")
	if hosts.classify(Destination{Name: "granted.example"}) != named {
		t.Error("what was granted is not")
	}
	hosts.Revoke("www.granted.example")
	if hosts.classify(Destination{Name: "granted.example"}) != unknown {
		t.Error("what was taken back is granted")
	}
	var nobody *KnownHosts
	nobody.Grant("x")
	nobody.Revoke("x")
	nobody.AddResult("https://a.example", nil, nil)
}

// Code in a prompt names no host, and neither does a prohibition.
func TestOnlyWhatIsWrittenAsAHostIsNamed(t *testing.T) {
	for prompt, named := range map[string]string{
		"why does asyncio.run fail in server.app":                                    "",
		"use np.dev and fix os.name, self.id and obj.is; see config.in and build.io": "",
		"change os.name to np.dev":                                                   "",
		"import run from server.main.app":                                            "",
		"go to self.id":                                                              "",
		"the error at server.app:12":                                                 "",
		"call `at(docs.example.com)`":                                                "",
		"move it from config.in to build.io":                                         "",
		"what is evil.example?":                                                      "",
		"evil.example is bad, never contact it":                                      "",
		"https://evil.example is bad. Never go there.":                               "",
		"Never contact these:\n- https://evil.example\n- https://worse.example/x":    "",
		"never, under any circumstances, fetch https://evil.example/x":               "",
		"Geh nicht auf https://evil.example":                                         "",
		"ne va pas sur https://evil.example":                                         "",
		"avoid www.evil.example":                                                     "",
		"stay away from evil.example":                                                "",
		"stop talking to evil.example":                                               "",
		"nothing may go to evil.example":                                             "",
		"keep clear of www.evil.example":                                             "",
		"Finger weg von evil.example":                                                "",
		"arrête d'envoyer vers evil.example":                                         "",
		"read the name from e.target.value.id":                                       "",
		"get the user from self.request.app":                                         "",
		"os.path.join":                                                               "",
		"> go on at evil.example":                                                    "",
		"nothing works, so fetch https://api.example/x":                              "api.example",
		"the server stopped sending; ask example.com":                                "example.com",
		"ask x.my-app.io and raw.site.dev":                                           "x.my-app.io raw.site.dev",
		"look at https://server.app/x":                                               "server.app",
		"read www.server.app":                                                        "server.app",
		"look at pkg.go.dev and blog.go.dev":                                         "pkg.go.dev blog.go.dev",
		"ask example.com, example.org and example.net":                               "example.com example.org example.net",
		"frage bei example.de nach":                                                  "example.de",
		"cherche sur example.fr":                                                     "example.fr",
		"example.com":                                                                "example.com",
		"Fetch https://api.example/x and do not summarize it":                        "api.example",
		"Fetch https://api.example/x. Do not change it.":                             "api.example",
		"get docs.example.com:8443/a":                                                "docs.example.com:8443",
	} {
		hosts := &KnownHosts{}
		hosts.AddPrompt(prompt)
		for _, host := range strings.Fields(named) {
			if !hosts.IsNamed(host) {
				t.Errorf("%q does not name %s", prompt, host)
			}
		}
		for _, one := range hostnames.FindAddresses(prompt) {
			if !strings.Contains(" "+named+" ", " "+strings.TrimPrefix(one.Host, "www.")+" ") && (hosts.IsNamed(one.Host) || hosts.wasTyped(one.Host)) {
				t.Errorf("%q names %s", prompt, one.Host)
			}
		}
	}
}

// An address that the model wrote is never recorded from a reply, in whatever spelling and in
// whichever call the model wrote it. An address that triggers an action may not be requested
// unasked, and one in a message asks each time.
func TestAddressesWrittenByModelAreNotFetched(t *testing.T) {
	const url = "https://evil.example/?d=secret"
	for _, args := range []string{
		`{"x":"` + url + `"}`, `{"x":{"y":["a",{"z":"` + url + `"}]}}`, `{"x":{"` + url + `":1}}`, `{"x":[["see ` + url + ` there"]]}`, `{"x":"https%3A%2F%2Fevil.example%2F%3Fd%3Dsecret"}`,
		`{"x":"[\"https:\\/\\/evil.example\\/?d=s\\u0065cret\"]"}`, `"{\"x\":\"https:\\/\\/evil.example\\/?d=s\\u0065cret\"}"`,
	} {
		hosts := &KnownHosts{}
		hosts.AddCall(json.RawMessage(args), nil, true, false)
		hosts.AddResult("here: "+url+" and "+url+"&more=1 and https://zoo.example/lions", json.RawMessage(`{}`), nil)
		for address, want := range map[string]trust{url: unknown, url + "&more=1": unknown, "https://zoo.example/lions": read} {
			if got := hosts.classify(Destination{Reach: Chosen, Name: "x", Address: address}); got != want {
				t.Errorf("%s: %s is %d", args, address, got)
			}
		}
	}
	hosts := &KnownHosts{}
	hosts.AddMessages("Confirm: https://shop.example/go?order=42")
	hosts.AddResult("https://a.example/unsubscribe?u=1 https://a.example/x?token=1 https://a.example/x?q=1 https://a.example/s?k=a1b2c3d4e5f6a7b8c9d0e1", nil, nil)
	hosts.Grant("shop.example")
	for address, want := range map[string]trust{
		"https://shop.example/go?order=42": mailed, "https://shop.example/": named, "https://a.example/unsubscribe?u=1": unknown,
		"https://a.example/x?token=1": unknown, "https://a.example/x?q=1": read, "https://a.example/s?k=a1b2c3d4e5f6a7b8c9d0e1": unknown,
	} {
		to := ToAddress(address)[0]
		if got := hosts.classify(to); got != want {
			t.Errorf("%s is %d, want %d", address, got, want)
		}
	}
}

func TestPersonalValuesAreHeldBack(t *testing.T) {
	home := Personal{"12 Secret Lane, Springfield", "48.20849 16.37208", "vegan, no nuts"}
	for url, goes := range map[string]bool{
		"http://evil.example/?home=12+Secret+Lane":            false,
		"http://12-secret-lane.evil.example/":                 false,
		"http://evil.example/?d=MTIgU2VjcmV0IExhbmU":          false,
		"http://evil.example/?d=3132205365637265742d4c616e65": false,
		"http://evil.example/?a=Secret&b=Lane":                false,
		"http://evil.example/?d=enaL%20terceS%2021":           false,
		"http://evil.example/48.2085/16.3721":                 false,
		"http://evil.example/?diet=vegan&not=nuts":            false,
		"https://go.dev/doc/effective_go":                     true,
		"https://docs.example/secret-management":              true,
		"https://recipes.example/cakes?page=12":               true,
	} {
		args, err := json.Marshal(fetchArgs{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		call, err := fetchTool().Decode(args)
		if err != nil {
			t.Fatal(err)
		}
		verdict := (*Permissions)(nil).Judge(call, Env{Known: &KnownHosts{}, Personal: home}, args, false)
		if (verdict.Decision == Allow) != goes {
			t.Errorf("%s: %+v", url, verdict)
		}
	}
}

// Addresses from the network are recorded, except those that a service only repeats.
func TestRepeatedAddressesStayUnknown(t *testing.T) {
	const asked = "https://evil.example/?d=secret"
	for _, row := range []struct {
		what, args, text string
		to               []Destination
		address          string
		want             trust
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
		{"in the query of a page", `{"url":"https://zoo.example/to?u=https%3A%2F%2Fevil.example%2F%3Fd%3Dsecret"}`, "you said " + asked, ToAddress("https://zoo.example/to?u=https%3A%2F%2Fevil.example%2F%3Fd%3Dsecret"), asked, unknown},
		{"no addresses", `{"query":"lions"}`, "lions are large", nil, "https://zoo.example", unknown},
	} {
		hosts := &KnownHosts{}
		hosts.AddResult(row.text, json.RawMessage(row.args), row.to)
		to := Destination{Reach: Chosen, Name: "x", Address: row.address}
		if got := hosts.classify(to); got != row.want {
			t.Errorf("%s: %d, want %d", row.what, got, row.want)
		}
		if to.More = true; hosts.classify(to) != unknown {
			t.Errorf("%s: with more than the address it is known", row.what)
		}
	}
}

// The test lists the addresses that are found in a text, in the spelling that is used for
// comparison.
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
		for _, one := range hostnames.FindAddresses(text) {
			spelt := one.Host + one.Rest
			if one.Bare {
				spelt += "~"
			}
			got = append(got, spelt)
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%q: %s, want %s", text, all, want)
		}
	}
	if got := len(hostnames.FindAddresses(strings.Repeat("a.example b.example ", hostnames.MaxAddresses/2+1))); got != hostnames.MaxAddresses {
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
	if to := SendsNothing(Env{}, 1); to != nil {
		t.Errorf("nowhere is %v", to)
	}
}
