package spotify

import (
	"net/url"
	"strings"
	"testing"
)

func FuzzCallback(f *testing.F) {
	const state = "the-state"
	for _, given := range []string{
		"/callback?code=AQ&state=the-state", "/callback?state=the-state&state=x&code=a", "/callback?code=AQ", "AQBx7", "code=AQ", "http://127.0.0.1:8888/callback?code=a%20b&state=the-state#_=_",
		"/callback?error=access_denied&state=the-state", "/callback?state=the-stat%65&code=a;b", "?", "/callback?state=other&code=x&state=the-state", "/callback?%zz",
	} {
		f.Add(given)
	}
	f.Fuzz(func(t *testing.T, given string) {
		code, err := codeIn(given, state)
		switch address := strings.ContainsAny(given, "?/"); {
		case err != nil && code != "":
			t.Errorf("%q is refused (%v) and gives %q", given, err, code)
		case err == nil && address:
			_, query, _ := strings.Cut(given, "?")
			query, _, _ = strings.Cut(query, "#")
			if values, err := url.ParseQuery(query); strings.Contains(given, "?") && (err != nil || values["state"][0] != state || code == "") {
				t.Errorf("%q gives %q", given, code)
			}
			if unescaped, err := url.QueryUnescape(given); err == nil && !strings.Contains(unescaped, state) {
				t.Errorf("%q, without the state, gives %q", given, code)
			}
		}
		if good, err := codeIn("/callback?"+url.Values{"code": {given}, "state": {state}}.Encode(), state); given != "" && (err != nil || good != given) {
			t.Errorf("the code %q became %q, %v", given, good, err)
		}
	})
}
