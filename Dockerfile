# One image for every part of the arena; the command says which one it is.
FROM python:3.13-slim
RUN useradd --create-home --uid 10001 arena
WORKDIR /app
COPY pyproject.toml README.md LICENSE ./
COPY proto proto
COPY arena arena
COPY worker worker
COPY dashboard dashboard
RUN pip install --no-cache-dir ".[server]"
USER arena
ENTRYPOINT ["gin-arena"]
