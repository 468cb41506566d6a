package spending

import (
	"testing"

	"marvin/persistence/internal/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }
