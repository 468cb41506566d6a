package prompt

import "encoding/json"

// stored is the JSON form of a [Frame].
type stored struct {
	System  string          `json:"system"`
	Profile string          `json:"profile,omitempty"`
	Window  int             `json:"window,omitempty"`
	Base    *Document       `json:"base,omitempty"`
	Known   []storedSection `json:"known,omitempty"`
}

type storedSection struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// MarshalJSON implements [json.Marshaler]. The JSON includes the known sections, because
// [Frame.Change] compares later sections with them.
func (f Frame) MarshalJSON() ([]byte, error) {
	kept := stored{System: f.System, Profile: f.Profile, Window: f.Window}
	if f.base.Text != "" {
		kept.Base = &f.base
	}
	for _, section := range f.known {
		kept.Known = append(kept.Known, storedSection(section))
	}
	return json.Marshal(kept)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (f *Frame) UnmarshalJSON(data []byte) error {
	var kept stored
	if err := json.Unmarshal(data, &kept); err != nil {
		return err
	}
	*f = Frame{System: kept.System, Profile: kept.Profile, Window: kept.Window}
	if kept.Base != nil {
		f.base = *kept.Base
	}
	for _, one := range kept.Known {
		f.known = append(f.known, Section(one))
	}
	return nil
}
