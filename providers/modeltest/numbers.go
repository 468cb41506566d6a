package modeltest

import (
	"fmt"
	"slices"
)

// strangers searches the history for calls to unknown tools. A tool is known if a request has
// offered it or a step has called it.
func (s *Server) strangers(request Request) (breaches []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, tool := range request.Tools {
		s.names[tool.Name] = true
	}
	for i, message := range request.Messages {
		for _, call := range message.Calls {
			if !s.names[call.Name] {
				breaches = append(breaches, fmt.Sprintf("messages[%d]: attempted to call tool '%s' which was not in request.tools", i, call.Name))
			}
		}
	}
	return breaches
}

func (s *Server) learn(step Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, part := range step.parts {
		for _, call := range part.calls {
			s.names[call.Name] = true
			// In later requests, clients replace the invalid characters of the name.
			s.names[outsideName.ReplaceAllString(call.Name, "_")] = true
		}
	}
}

// number returns a copy of the parts in which each call has an id. If sameIDs is true, all new ids
// are equal.
func number(parts []part, request int, sameIDs bool) []part {
	parts = slices.Clone(parts)
	count := 0
	for i := range parts {
		parts[i].calls = slices.Clone(parts[i].calls)
		for j := range parts[i].calls {
			if call := &parts[i].calls[j]; call.ID == "" {
				call.ID = fmt.Sprintf("call_%d_%d", request, count)
			}
			if !sameIDs {
				count++
			}
		}
	}
	return parts
}
