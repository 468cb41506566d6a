package tools_test

import (
	"testing"

	"marvin/tools"
	"marvin/tools/toolbox"
)

func TestSearchInfersNoSchema(t *testing.T) {
	var r toolbox.Registry
	r.Add(tools.Uninferred(named("alpha"), func() { t.Error("the schema was inferred") }))
	if hits := r.Search("alpha", tools.Mode{}, 5); len(hits) != 1 {
		t.Errorf("%d are found", len(hits))
	}
}
