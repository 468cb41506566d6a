package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/tools/internal/reason"
)

// jsonTimeout is the timeout for [GetJSON]. Services usually respond in less than a second.
const jsonTimeout = 15 * time.Second

// StatusError is the error for a response with a status other than 2xx.
type StatusError struct {
	Host    string
	Status  int
	Message string // the service's error message, shortened; never contains a key
	After   string // the Retry-After header
	Body    []byte // the response body, for services with unusual errors; may contain a key
}

// HasStatus reports whether err is a [StatusError] with one of the given statuses.
func HasStatus(err error, statuses ...int) bool {
	status, ok := errors.AsType[*StatusError](err)
	return ok && slices.Contains(statuses, status.Status)
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s answered %d %s", e.Host, e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		text += fmt.Sprintf(" (%s)", e.Message)
	}
	return text + "; " + e.next()
}

func (e *StatusError) next() string {
	switch {
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		return "the key for this service may be missing or rejected"
	case e.Status == http.StatusNotFound:
		return "the requested data does not exist"
	case e.Status == http.StatusTooManyRequests && e.After != "":
		return "the service accepts no requests for now; try again after " + e.After + " (seconds, or a date)"
	case e.Status == http.StatusTooManyRequests:
		return "the service accepts no requests for now; try again in a minute"
	case e.Status >= 500:
		return "the service has a problem; try again later"
	}
	return "check the request"
}

// GetJSON sends a GET request and decodes the JSON response into value. It times out after 15 s.
// See [Ask] for the limit and for errors.
func GetJSON(ctx context.Context, client *http.Client, address string, limit int64, value any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, jsonTimeout, errors.New("it took longer than "+jsonTimeout.String()))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return fmt.Errorf("not a valid URL: %w", withoutURL(err))
	}
	return AskJSON(client, request, limit, value)
}

// PostForm posts a form. See [Ask] for the limit and for errors.
func PostForm(ctx context.Context, client *http.Client, address string, fields url.Values, limit int64) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(fields.Encode()))
	if err != nil {
		return nil, fmt.Errorf("not a valid URL: %w", withoutURL(err))
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return Ask(client, request, limit)
}

// AskJSON is like [GetJSON], but takes any request and sets no timeout.
func AskJSON(client *http.Client, request *http.Request, limit int64, value any) error {
	if request.Header.Get("Accept") == "" {
		request.Header.Set("Accept", "application/json")
	}
	body, err := Ask(client, request, limit)
	if err != nil {
		return err
	}
	return Decode(request, body, value)
}

// Decode decodes the JSON in a service's response.
func Decode(asked *http.Request, body []byte, value any) error {
	if err := json.Unmarshal(body, value); err != nil {
		what := strconv.Quote(excerpt(body, asked))
		switch trimmed := bytes.TrimSpace(body); {
		case len(trimmed) == 0:
			what = "nothing"
		case trimmed[0] == '<':
			what = "a page for browsers"
		}
		return reason.Reword(err, fmt.Sprintf("%s did not answer with the expected JSON: %s; the service may have changed, or a login page may have answered", asked.URL.Hostname(), what))
	}
	return nil
}

// Ask sends a request and reads the response. The limit is the maximum size of the response in
// bytes, after decompression. An error names the host, the problem and the next step. It contains
// no part of the query, which could contain a key. The error for a status other than 2xx is
// [StatusError].
func Ask(client *http.Client, request *http.Request, limit int64) ([]byte, error) {
	ctx := request.Context()
	response, err := client.Do(request)
	if err != nil {
		return nil, explain(ctx, request.URL.Hostname(), err)
	}
	defer response.Body.Close()
	host := response.Request.URL.Hostname()
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	switch {
	case response.StatusCode < 200 || response.StatusCode > 299:
		return nil, statusError(response, host, body, request)
	case err != nil:
		return nil, explain(ctx, host, err)
	case int64(len(body)) > limit:
		return nil, fmt.Errorf("%s answered with more than %d bytes; ask for less", host, limit)
	}
	return body, nil
}

func statusError(response *http.Response, host string, body []byte, asked *http.Request) error {
	return &StatusError{
		Host: host, Status: response.StatusCode, After: response.Header.Get("Retry-After"), Body: body,
		Message: excerpt(messageIn(body), asked),
	}
}

// messageIn returns the message from an error response. If none of the usual JSON fields contains a
// message, messageIn returns the whole body, or nil for HTML.
func messageIn(body []byte) []byte {
	var said struct {
		Message, Error, Detail, Reason any
		ErrorMessage                   any `json:"error_message"`
	}
	if json.Unmarshal(body, &said) == nil {
		if inner, ok := said.Error.(map[string]any); ok { // Google: {"error": {"code": 403, "message": …}}
			said.Error = inner["message"]
		}
		for _, value := range []any{said.Message, said.Error, said.Detail, said.Reason, said.ErrorMessage} {
			if text, ok := value.(string); ok && text != "" {
				return []byte(text)
			}
		}
	}
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '<' {
		return nil // the body is HTML
	}
	return body
}

// excerpt returns the beginning of a response as a single line, without the keys that the request
// contained.
func excerpt(body []byte, asked *http.Request) string {
	text := strings.ToValidUTF8(string(body[:min(len(body), 4<<10)]), "")
	for _, key := range keys(asked) {
		text = strings.ReplaceAll(text, key, "‹key›")
		text = strings.ReplaceAll(text, url.QueryEscape(key), "‹key›")
	}
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return text
}

// keys returns the credentials in a request.
func keys(asked *http.Request) []string {
	var found []string
	for name, values := range asked.URL.Query() {
		if isKey(name) {
			found = append(found, values...)
		}
	}
	for name, values := range asked.Header {
		if name != "Authorization" && !isKey(name) {
			continue
		}
		for _, value := range values {
			_, credentials, ok := strings.Cut(value, " ") // after "Bearer"
			if !ok {
				credentials = value
			}
			found = append(found, credentials)
		}
	}
	return slices.DeleteFunc(found, func(key string) bool { return key == "" })
}

func isKey(parameter string) bool {
	parameter = strings.ToLower(parameter)
	return slices.ContainsFunc([]string{"key", "token", "secret", "appid", "password", "signature", "client_id"}, func(part string) bool { return strings.Contains(parameter, part) })
}
