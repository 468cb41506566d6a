package modeltest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// refuse writes an error in the format of the protocol.
func refuse(to http.ResponseWriter, wire Wire, status int, message, kind, code string) {
	to.Header().Set("Content-Type", "application/json")
	to.WriteHeader(status)
	if wire == Ollama {
		_ = json.NewEncoder(to).Encode(map[string]any{"error": message})
		return
	}
	if wire == Anthropic {
		_ = json.NewEncoder(to).Encode(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}})
		return
	}
	failure := map[string]any{"message": message, "type": kind, "param": nil, "code": nil}
	if code != "" {
		failure["code"] = code
		failure["param"] = "messages"
	}
	_ = json.NewEncoder(to).Encode(map[string]any{"error": failure})
}

// models lists one model for a request with a valid key.
func (s *Server) models(to http.ResponseWriter, incoming *http.Request) {
	if strings.Contains(incoming.Header.Get("Authorization"), "bad") {
		refuse(to, OpenAI, http.StatusUnauthorized, "Incorrect API key provided.", "invalid_request_error", "")
		return
	}
	_, _ = to.Write(encode(map[string]any{"object": "list", "data": []any{map[string]any{"id": "test-model", "object": "model"}}}))
}
