package chatgpt

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"marvin/providers"
)

// token returns a JWT with these claims.
func token(claims string) string {
	return "h." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".s"
}

// The stored login has the values that OpenAI sends with its token, and otherwise the values in the
// token.
func TestLoginClaims(t *testing.T) {
	const auth = `"https://api.openai.com/auth":{"chatgpt_account_id":"`
	said := time.Unix(500, 0)
	for name, test := range map[string]struct {
		identity, access string
		expires          time.Time
		account          string
		until            time.Time
	}{
		"nothing":                {"", "opaque", time.Time{}, "", time.Time{}},
		"identity":               {token(`{` + auth + `a1"}}`), token(`{"exp":900,` + auth + `a2"}}`), time.Time{}, "a1", time.Unix(900, 0)},
		"access alone":           {"", token(`{"exp":900,` + auth + `a2"}}`), time.Time{}, "a2", time.Unix(900, 0)},
		"said when":              {"", token(`{"exp":900}`), said, "", said},
		"no time":                {"", token(`{"exp":0}`), time.Time{}, "", time.Time{}},
		"before all time":        {"", token(`{"exp":-1}`), time.Time{}, "", time.Time{}},
		"said when, not claimed": {"", "opaque", said, "", said},
		"two parts":              {"h.e30", "h." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp":900}`)), time.Time{}, "", time.Time{}},
		"four parts":             {token(`{`+auth+`a1"}}`) + ".x", "", time.Time{}, "", time.Time{}},
		"no base64":              {"h.%%%.s", "h.é.s", time.Time{}, "", time.Time{}},
		"half a JSON":            {token(`{` + auth), token(`{"exp":900,`), time.Time{}, "", time.Time{}},
		"padded":                 {"", "h." + base64.URLEncoding.EncodeToString([]byte(`{"exp":900}`)) + ".s", time.Time{}, "", time.Unix(900, 0)},
	} {
		answer := (&oauth2.Token{AccessToken: test.access, RefreshToken: "r", Expiry: test.expires}).WithExtra(map[string]any{"id_token": test.identity})
		got := read(answer)
		if got.Account != test.account || !got.Expires.Equal(test.until) || got.Access != test.access || got.Refresh != "r" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// line is a connection that answers each request in the same way.
type line func(*http.Request) (*http.Response, error)

func (l line) RoundTrip(request *http.Request) (*http.Response, error) { return l(request) }

func TestLoginsThatFail(t *testing.T) {
	dead := line(func(*http.Request) (*http.Response, error) { return nil, errors.New("the line is dead") })
	login := NewLogin(1455, &http.Client{Transport: dead})
	back := func(values url.Values) *url.URL { return &url.URL{RawQuery: values.Encode()} }
	for want, values := range map[string]url.Values{
		"a different login":        {"state": {"x"}, "code": {"c"}},
		"OpenAI says denied by me": {"state": {login.state}, "error": {"denied"}, "error_description": {"by me"}},
		"without a login code":     {"state": {login.state}},
		"the line is dead":         {"state": {login.state}, "code": {"c"}},
	} {
		if tokens, err := login.Finish(t.Context(), back(values)); err == nil || !strings.Contains(err.Error(), want) || tokens != (Tokens{}) {
			t.Errorf("%s: %+v, %v", want, tokens, err)
		}
	}
	stopped := errors.New("the user said stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	if _, err := login.Finish(ctx, back(url.Values{"state": {login.state}, "code": {"c"}})); !errors.Is(err, stopped) {
		t.Errorf("cancelled: %v", err)
	}
	kept := Tokens{Access: "a", Refresh: "r", Account: "mine"}
	account := NewAccount(Store{Load: func() (Tokens, error) { return kept, nil }}, func() *http.Client { return &http.Client{Transport: dead} }, time.Now)
	if list, err := account.Models(t.Context(), "https://plan.example", &http.Client{Transport: dead}); !errors.Is(err, providers.ErrUnreachable) || list != nil {
		t.Errorf("models: %v, %v", list, err)
	}
	if list, err := account.Models(t.Context(), "https://h\x7f", &http.Client{Transport: dead}); err == nil || list != nil {
		t.Errorf("models at no address: %v, %v", list, err)
	}
	broken := NewAccount(Store{Load: func() (Tokens, error) { return Tokens{}, stopped }}, nil, time.Now)
	if list, err := broken.Models(t.Context(), "https://plan.example", nil); !errors.Is(err, stopped) || list != nil {
		t.Errorf("models without tokens: %v, %v", list, err)
	}
}
