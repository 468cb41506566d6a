package command_test

import (
	"slices"
	"testing"

	"marvin/providers/modeltest"
)

func TestASlipMakesNoProfile(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	d.expect("/profile alx", "There is no profile alx; /profile lists them. /profile new alx makes it.")
	d.expect("/profile new", "Usage: /profile new NAME")
	d.expect("/profile new Alex", "Profile switched to: alex (new")
	d.expect("/profile default", "Profile switched to: default")
	d.expect("/profile alx", "did you mean alex? /profile new alx makes it")
	d.expect("/profile ALEX", "Profile switched to: alex")
	d.expect("/profile new default", "Profile switched to: default")
	names, err := d.engine.Host.Profiles()
	if err != nil || !slices.Equal(names, []string{"alex", "default"}) {
		t.Errorf("%q, %v", names, err)
	}
}
