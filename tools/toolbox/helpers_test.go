package toolbox_test

import (
	"context"
	"encoding/json"
	"testing"

	"marvin/tools"
)

type forecastArgs struct {
	Place  string   `json:"place" doc:"City or address" alias:"location,city" example:"Uppsala"`
	Days   int      `json:"days" doc:"Days ahead" default:"3" min:"1" max:"16"`
	Units  string   `json:"units" doc:"Units of measure" enum:"metric,imperial" default:"metric"`
	Lat    *float64 `json:"lat" doc:"Latitude"`
	Detail bool     `json:"detail" doc:"Every hour" default:"false"`
	Tags   []string `json:"tags,omitempty" doc:"Only these"`
}

// forecast is a tool whose result contains its arguments.
func forecast() tools.Tool {
	return tools.New(tools.Def[forecastArgs]{
		Name: "weather_forecast", Doc: "Weather to come.",
		Run: func(_ context.Context, _ tools.Env, in forecastArgs) (tools.Output, error) {
			encoded, err := json.Marshal(in)
			return tools.Output{Text: string(encoded)}, err
		},
	})
}

func named(name string) tools.Tool {
	return tools.New(tools.Def[struct{}]{Name: name, Doc: name})
}

// stranger is a foreign tool whose result contains its arguments.
func stranger(t *testing.T, def tools.Definition) tools.Tool {
	t.Helper()
	def.Run = func(_ context.Context, _ tools.Env, arguments json.RawMessage) (tools.Output, error) {
		return tools.Output{Text: string(arguments)}, nil
	}
	tool, err := tools.Raw(def)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}
