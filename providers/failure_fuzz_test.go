package providers_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"marvin/providers"
)

// Whatever text a server sends about an error, and however it repeats the key, the user sees one
// short line without the key.
func FuzzServerError(f *testing.F) {
	const key = "sk-key-of-the-user"
	for _, body := range []string{
		`{"error":{"message":"bad key ` + key + `","code":"invalid_api_key"}}`, `[{"error":{"details":[{"retryDelay":"34s"}]}}]`, `"` + key + `"`, "<html><body><p>502 " + key + "</p><script>x</script>",
		`{"detail":[{"msg":"no"}]}`, `{"error":{"message":"x","metadata":{"raw":"sk-key-of-the-\u200buser"}}}`, `{"error":"sk\u002dkey-of-the-user"}`, "\xff" + key, "{", strings.Repeat("[", 2000),
		`{"retryDelay":"-5s"}`, `{"error":{"code":"` + key + `"}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		failure := providers.ServerError("gemini", 500, body, key)
		text := failure.Message
		if strings.Contains(failure.Error(), key) || len(text) > 500 || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) || failure.RetryAfter < 0 {
			t.Errorf("%q became %q, wait %s", body, text, failure.RetryAfter)
		}
	})
}
