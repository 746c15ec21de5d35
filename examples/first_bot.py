from arena.sdk import Action, Bot, Observation, deadwood_after, serve

class FirstBot(Bot):
    def act(self, observation: Observation) -> Action:
        return min(observation.legal, key=lambda a: (deadwood_after(observation, a), -a.kind))

if __name__ == "__main__":
    serve(FirstBot())
