package modeltest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// refuse writes an error in the protocol's format.
func refuse(to http.ResponseWriter, wire Wire, status int, message, kind, code string) {
	failure := map[string]any{"message": message, "type": kind, "param": nil, "code": nil}
	if code != "" {
		failure["code"], failure["param"] = code, "messages"
	}
	body := map[string]any{"error": failure}
	switch wire {
	case Ollama:
		body["error"] = message
	case Anthropic:
		body["type"], body["error"] = "error", map[string]any{"type": kind, "message": message}
	case OpenAI, Responses:
	}
	to.Header().Set("Content-Type", "application/json")
	to.WriteHeader(status)
	_ = json.NewEncoder(to).Encode(body)
}

// models serves a list of one model. It refuses API keys that contain "bad".
func (s *Server) models(to http.ResponseWriter, incoming *http.Request) {
	if strings.Contains(incoming.Header.Get("Authorization"), "bad") {
		refuse(to, OpenAI, http.StatusUnauthorized, "Incorrect API key provided.", "invalid_request_error", "")
		return
	}
	_, _ = to.Write(encode(map[string]any{"object": "list", "data": []any{map[string]any{"id": "test-model", "object": "model"}}}))
}
