package providers

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"marvin/messages/origin"
)

const (
	maxMessage   = 500       // the maximum number of bytes in the result of [Clean]
	maxErrorBody = 256 << 10 // the maximum number of bytes to read from an error response
)

// ReadStatus converts an HTTP error response into an error, and closes the body of the response.
// The error message never contains the key, even if the server repeats the key.
func ReadStatus(provider string, response *http.Response, key string) *StatusError {
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorBody)) // half a message is better than none
	failure := ServerError(provider, response.StatusCode, body, key)
	if wait, said := retryAfter(response.Header); said {
		failure.RetryAfter, failure.RetryNow = wait, wait == 0
	} else if wait := untilReset(response.Header); failure.RetryAfter == 0 && response.StatusCode == http.StatusTooManyRequests {
		failure.RetryAfter = wait
	}
	return failure
}

// untilReset returns the time until all exhausted rate limits have been reset, or 0 if that time is
// unknown. Servers send durations (OpenAI, Groq), dates (Anthropic), numbers of seconds, or Unix
// times.
func untilReset(header http.Header) (longest time.Duration) {
	now, _ := http.ParseTime(header.Get("Date"))
	for name, values := range header {
		before, what, ok := strings.Cut(strings.ToLower(name), "ratelimit-")
		if !ok || !strings.Contains(what, "reset") || len(values) == 0 {
			continue
		}
		left := strings.Replace(strings.ToLower(name), "reset", "remaining", 1)
		if remaining := header.Get(left); remaining != "" && remaining != "0" {
			continue // this limit is not exhausted
		}
		if wait := untilMoment(values[0], now); before == "" || strings.HasSuffix(before, "-") {
			longest = max(longest, wait)
		}
	}
	return longest
}

// untilMoment converts text to a waiting time. The text is a duration, a number of seconds, an RFC
// 3339 time or a Unix time. For other text, untilMoment returns 0. If the server's current time is
// unknown, it also returns 0 for an RFC 3339 time or a Unix time.
func untilMoment(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if wait, err := time.ParseDuration(text); err == nil {
		return max(wait, 0)
	}
	if moment, err := time.Parse(time.RFC3339, text); err == nil && !now.IsZero() {
		return max(moment.Sub(now), 0)
	}
	seconds, err := strconv.ParseFloat(text, 64)
	const year, milliseconds = 366 * 24 * 3600, 1e11
	switch {
	case err != nil || !(seconds >= 0) || math.IsInf(seconds, 0): // seconds >= 0 is false for NaN
		return 0
	case seconds < year:
		return time.Duration(seconds * float64(time.Second))
	case seconds > milliseconds:
		seconds /= 1000
	}
	if moment := time.Unix(int64(seconds), 0); !now.IsZero() {
		return max(moment.Sub(now), 0)
	}
	return 0
}

// waitInWords matches phrases such as "try again in 6m0s" or "retry after 20 seconds". Its group
// captures the time.
var waitInWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:try again|retry|wait)(?:ing)?(?: after| in| for| until| at least| about|:)* ((?:\d+(?:\.\d+)? ?(?:milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)\b ?)+|(?:\d+(?:\.\d+)?(?:ms|h|m|s))+)`)
})

var amountOfTime = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(\d+(?:\.\d+)?) ?([a-z]+)`) })

func toldWait(text string) (wait time.Duration) {
	found := waitInWords().FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	for _, one := range amountOfTime().FindAllStringSubmatch(found[1], -1) {
		number, _ := strconv.ParseFloat(one[1], 64)
		unit := time.Second
		switch word := strings.ToLower(one[2]); {
		case strings.HasPrefix(word, "mil"), strings.HasPrefix(word, "ms"):
			unit = time.Millisecond
		case strings.HasPrefix(word, "m"):
			unit = time.Minute
		case strings.HasPrefix(word, "h"):
			unit = time.Hour
		}
		wait += time.Duration(min(number, 1e6) * float64(unit))
	}
	return wait
}

// ServerError converts the body of an error response into an error. It supports JSON strings, HTML
// pages, plain text, the error objects of OpenAI, vLLM and FastAPI, and Gemini's list of error
// objects.
func ServerError(provider string, status int, body []byte, key string) *StatusError {
	failure := &StatusError{Provider: provider, Status: status}
	text := string(body)
	if value, ok := decodeAny(body); ok {
		text = ""
		failure.RetryAfter = retryDelay(value)
		if said, code := sentence(value, 0); said != "" || code != "" {
			text = said
			if code != "" && !strings.Contains(text, code) {
				text = strings.TrimSpace(text + " (" + code + ")")
			}
		}
	}
	failure.Message = Clean(text, key)
	if failure.RetryAfter == 0 && (status == http.StatusTooManyRequests || status >= http.StatusInternalServerError) {
		failure.RetryAfter = toldWait(failure.Message)
	}
	return failure
}

func decodeAny(body []byte) (value any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	return value, decoder.Decode(&value) == nil
}

// sentence returns the message and the error code from a decoded error response. Codes that are not
// strings are ignored.
func sentence(value any, depth int) (text, code string) {
	if depth > 4 {
		return "", ""
	}
	switch typed := value.(type) {
	case string:
		return typed, ""
	case []any:
		if len(typed) > 0 {
			return sentence(typed[0], depth+1)
		}
	case map[string]any:
		code, _ = typed["code"].(string)
		for _, field := range []string{"error", "message", "detail", "msg", "error_message"} {
			if inner := typed[field]; inner != nil {
				said, innerCode := sentence(inner, depth+1)
				if innerCode != "" {
					code = innerCode
				}
				// OpenRouter's message is only "Provider returned error"; the reason is in the
				// metadata.
				if metadata, ok := typed["metadata"].(map[string]any); ok {
					if upstream, ok := metadata["raw"].(string); ok {
						said += ": " + upstream
					}
				}
				return said, code
			}
		}
	}
	return "", code
}

// retryDelay finds the waiting time in a decoded error response. The field "details" of Gemini's
// errors contains {"@type":"…RetryInfo","retryDelay":"34s"}. If a plan has no credit, ChatGPT sends
// {"type":"usage_limit_reached","resets_in_seconds":13872}.
func retryDelay(value any) time.Duration {
	switch typed := value.(type) {
	case []any:
		for _, element := range typed {
			if wait := retryDelay(element); wait > 0 {
				return wait
			}
		}
	case map[string]any:
		if text, ok := typed["retryDelay"].(string); ok {
			wait, _ := time.ParseDuration(text)
			return max(wait, 0)
		}
		if number, ok := typed["resets_in_seconds"].(json.Number); ok {
			seconds, _ := number.Int64() // a number that is not an integer counts as 0
			return time.Duration(min(max(seconds, 0), 1e9)) * time.Second
		}
		for _, field := range []string{"error", "details"} {
			if wait := retryDelay(typed[field]); wait > 0 {
				return wait
			}
		}
	}
	return 0
}

// retryAfter reads Retry-After-Ms or, if that is missing, Retry-After. Retry-After contains either
// a date or a number of seconds, possibly with a fraction. For a past date, the wait is 0. Dates
// are compared with the server's clock, because the local clock can be wrong.
func retryAfter(header http.Header) (wait time.Duration, said bool) {
	if milliseconds, err := strconv.ParseFloat(strings.TrimSpace(header.Get("Retry-After-Ms")), 64); err == nil && milliseconds >= 0 && milliseconds < 1e12 {
		return time.Duration(milliseconds * float64(time.Millisecond)), true
	}
	text := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return time.Duration(max(seconds, 0) * float64(time.Second)), seconds >= 0 && seconds < 1e9
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	now, err := http.ParseTime(header.Get("Date"))
	return max(until.Sub(now), 0), err == nil
}

// shortestKey is the minimum length of a real key. Shorter keys are placeholders such as "lab" or
// "EMPTY", and ordinary text can contain them.
const shortestKey = 8

// Clean shortens a server's text to one line of at most 500 bytes, without HTML, control characters
// or the key.
func Clean(text, key string) string {
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "<") {
		text = pageText(trimmed)
	}
	if key = strings.TrimSpace(key); len(key) >= shortestKey {
		text = strings.ReplaceAll(text, key, "[key]")
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= maxMessage {
		return text
	}
	cut := maxMessage - len("…")
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// pageText returns the visible text of an HTML page.
func pageText(page string) string {
	var out strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(page))
	hidden := false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return out.String()
		case html.StartTagToken, html.EndTagToken:
			token := tokens.Token()
			if token.Data == "script" || token.Data == "style" {
				hidden = token.Type == html.StartTagToken
			}
			out.WriteByte(' ')
		case html.TextToken:
			if !hidden {
				out.Write(tokens.Text())
			}
		}
	}
}

// Unreachable adds the host and some advice to a connection error. The address in a [url.Error] is
// omitted.
func Unreachable(server *url.URL, err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if moved, ok := errors.AsType[*origin.Error](err); ok {
		return &StatusError{Provider: server.Host, Status: http.StatusTemporaryRedirect, Message: moved.Error()}
	}
	return fmt.Errorf("%w to %s: %w; %s", ErrUnreachable, server.Host, err, nextStep(err))
}

func nextStep(err error) string {
	var unknown *net.DNSError
	var authority x509.UnknownAuthorityError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var timeout net.Error
	switch {
	case errors.As(err, &authority):
		return "if a company proxy inspects connections, set SSL_CERT_FILE to the file with its certificate"
	case errors.As(err, &certificate):
		return "check the host name and this machine's clock"
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the server does not speak TLS; begin the URL with http://"
	case errors.As(err, &unknown):
		return "check the network and the spelling of the host name"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "check that the server is running at this address"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "check the network, and HTTPS_PROXY if there is a proxy"
	}
	return "check the network and the URL, then try again"
}
