package adapt

import "encoding/json"

// keptForm is what another process may begin with. Tools that were left out are not in it: a
// server that takes them again, or a tool that was mended, would be missed in silence.
type keptForm struct {
	Shapes   shapes   `json:"shapes,omitempty"`
	Fields   []string `json:"fields,omitempty"`
	Keywords []string `json:"keywords,omitempty"`
	Most     int      `json:"most,omitempty"`
	V1       bool     `json:"v1,omitempty"`
}

// Begin begins with what [Host.Keep] got before. Anything else changes nothing.
func (h *Host) Begin(kept []byte) {
	var read keptForm
	if len(kept) == 0 || json.Unmarshal(kept, &read) != nil {
		return
	}
	h.learn(form{shapes: read.Shapes, fields: read.Fields, keywords: read.Keywords, most: read.Most, v1: read.V1})
}

// keep hands what is known to [Host.Keep].
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
