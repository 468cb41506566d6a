package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// Local is a model on an Ollama server.
type Local struct {
	Name       string
	Can        []string // capabilities; by default "completion", "tools" and "thinking"
	Parameters string   // the Modelfile's parameters, one per line
	Remote     bool     // the model runs on another server
}

// Install sets the installed models, newest first. A request with tools fails if its model lacks
// the capability "tools".
func (s *Server) Install(models ...Local) *Server {
	return s.set(func() { s.installed = append([]Local{}, models...) })
}

// local returns the model with the given name. As in Ollama, a name without a tag means the tag
// "latest". If the test has not called [Server.Install], every model exists, and known is false.
func (s *Server) local(name string) (found Local, there, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, model := range s.installed {
		if model.Name == name || model.Name == name+":latest" {
			return model, true, true
		}
	}
	return Local{Name: name}, s.installed == nil, s.installed != nil
}

func (l Local) can(what string) bool { return len(l.Can) == 0 || slices.Contains(l.Can, what) }

func (s *Server) show(to http.ResponseWriter, incoming *http.Request, context int) {
	var wanted struct{ Model string }
	_ = json.NewDecoder(incoming.Body).Decode(&wanted) // after an error, the name is empty
	found, there, _ := s.local(wanted.Model)
	if !there {
		refuse(to, Ollama, http.StatusNotFound, fmt.Sprintf("model '%s' not found", wanted.Model), "", "")
		return
	}
	info := map[string]any{"general.architecture": "scripted"}
	if context > 0 {
		info["scripted.context_length"] = context
	}
	can := found.Can
	if len(can) == 0 {
		can = []string{"completion", "tools", "thinking"}
	}
	_, _ = to.Write(encode(map[string]any{"model_info": info, "capabilities": can, "parameters": found.Parameters}))
}

func (s *Server) tags(to http.ResponseWriter) {
	s.mu.Lock()
	models := make([]map[string]any, len(s.installed))
	for i, model := range s.installed {
		models[i] = map[string]any{"name": model.Name, "model": model.Name, "modified_at": "2026-11-20T10:00:00Z", "size": 1 << 30, "digest": "0a8c", "details": map[string]any{"format": "gguf"}}
		if model.Remote {
			models[i]["remote_host"] = "https://ollama.com:443"
		}
	}
	s.mu.Unlock()
	_, _ = to.Write(encode(map[string]any{"models": models}))
}

// missing refuses the request if the model is not installed or does not support the request's
// tools. It reports whether it refused the request. A refusal does not fail the test.
func (s *Server) missing(to http.ResponseWriter, request Request) bool {
	found, there, known := s.local(request.Model)
	switch {
	case !known:
		return false
	case !there:
		refuse(to, Ollama, http.StatusNotFound, fmt.Sprintf("model '%s' not found", request.Model), "", "")
	case len(request.Tools) > 0 && !found.can("tools"):
		refuse(to, Ollama, http.StatusBadRequest, fmt.Sprintf("registry.ollama.ai/library/%s does not support tools", found.Name), "", "")
	default:
		return false
	}
	return true
}
