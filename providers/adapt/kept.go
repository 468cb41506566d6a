package adapt

import "encoding/json"

// keptForm is the part of a form that [Host.Keep] stores. Omitted tools are not stored: a new
// process offers all tools, because the tools or the server may have changed.
type keptForm struct {
	Shapes   shapes   `json:"shapes,omitempty"`
	Fields   []string `json:"fields,omitempty"`
	Keywords []string `json:"keywords,omitempty"`
	Most     int      `json:"most,omitempty"`
	V1       bool     `json:"v1,omitempty"`
}

// Begin applies adaptations that [Host.Keep] stored earlier. Invalid data changes nothing.
func (h *Host) Begin(kept []byte) {
	var read keptForm
	if len(kept) == 0 || json.Unmarshal(kept, &read) != nil {
		return
	}
	h.learn(form{shapes: read.Shapes, fields: read.Fields, keywords: read.Keywords, most: read.Most, v1: read.V1})
}

func (h *Host) keep() {
	if h.Keep == nil {
		return
	}
	known := h.start()
	encoded, err := json.Marshal(keptForm{known.shapes &^ (toolless | inWords), known.fields, known.keywords, known.most, known.v1})
	if err == nil && string(encoded) != "{}" {
		h.Keep(encoded)
	}
}
