package format

// kiroAgent are agents of Kiro, which took over the shape.
var kiroAgent = agentFile("kiro-agent", ".kiro/agents/*.json")
